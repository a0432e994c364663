import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'electron-vite'

const inRoot = (...parts: string[]): string => resolve(import.meta.dirname, ...parts)
const source = inRoot('src-main')

/** Every `*-worker.ts` runs in a thread or a process of its own, so each becomes a bundle of its own beside the entry. */
const workers = Object.fromEntries(
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-worker.ts'))
    .map((file) => [basename(file, '.ts'), resolve(source, file)])
)

/** The oldest runtime the product is tested with; written down, because the build tool would take the newest Electron's. */
const node = 'node20.18'
const browser = 'chrome130'

/** Set here rather than above the plugins: a folder named by --outDir would be taken from this root, not from ours. */
const rendererRoot = { name: 'renderer-root', config: () => ({ root: inRoot('src-renderer') }) }

export default defineConfig({
  main: {
    build: {
      target: node,
      // Its parser is an ECMAScript module that it loads with require(), which Electron's Node cannot do before 22.12.
      // Of optional dependencies it knows nothing: the keychain's add-on would be taken in, and is found at run time or not.
      externalizeDeps: { exclude: ['sanitize-html'], include: ['keytar'] },
      rolldownOptions: {
        input: {
          cli: resolve(source, 'cli.ts'),
          'desktop-app': resolve(source, 'desktop-app.ts'),
          ...workers
        },
        // Chunks lie beside the entries: worker-file.ts finds the workers relative to whichever chunk it is in.
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' }
      }
    }
  },
  preload: {
    build: {
      target: node,
      // What Electron loads itself: one CommonJS file each, with everything in it. A sandboxed preload can load nothing, and
      // the desktop's entry has to have run before Electron is ready, which nothing that is imported is sure to.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: resolve(source, 'preload.ts'), desktop: resolve(source, 'desktop.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  },
  renderer: {
    plugins: [rendererRoot, tailwindcss(), svelte({ configFile: inRoot('svelte.config.js') })],
    build: {
      target: browser,
      cssTarget: browser,
      minify: true,
      // Inlined files would be data: URLs, which the content security policy has no need to allow otherwise.
      assetsInlineLimit: 0,
      rolldownOptions: { input: { index: inRoot('src-renderer', 'index.html') } }
    }
  }
})
