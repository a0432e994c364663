import { join } from 'node:path'

/** Pictures beside the built program: they are files of the package, in its archive or out of it. */
export const iconFile = (name: 'icon.png' | 'tray.png' | 'box.png'): string =>
  join(import.meta.dirname, '../../resources', name)
