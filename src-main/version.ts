import manifest from '../package.json' with { type: 'json' }

/** This program's own version. */
export const programVersion: string = manifest.version
