/**
 * Where a worker thread's file lies: its own source while the product runs from source (tests, bench),
 * and a bundle beside this one once built.
 */
export function workerFile(source: `${string}-worker.ts`): URL {
  const built = !import.meta.url.endsWith('.ts')
  const name = source.slice(source.lastIndexOf('/') + 1)
  return new URL(built ? `./${name.replace(/\.ts$/, '.js')}` : `./${source}`, import.meta.url)
}
