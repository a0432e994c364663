import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { defineConfig } from 'electron-vite'

const source = resolve(import.meta.dirname, 'src-main')

/** Every `*-worker.ts` runs in a thread of its own, so each becomes a bundle of its own beside the entry. */
const workers = Object.fromEntries(
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-worker.ts'))
    .map((file) => [basename(file, '.ts'), resolve(source, file)])
)

export default defineConfig({
  main: {
    build: {
      target: 'node20.18',
      rolldownOptions: {
        input: { cli: resolve(source, 'cli.ts'), ...workers },
        // Chunks lie beside the entries: worker-file.ts finds the workers relative to whichever chunk it is in.
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' }
      }
    }
  }
})
