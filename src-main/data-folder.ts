import envPaths from 'env-paths'

/** Where boxes, accounts and settings live unless the person says otherwise. */
export const defaultDataDir = (): string =>
  process.env['BOXYARD_DATA'] || envPaths('boxyard', { suffix: '' }).data
