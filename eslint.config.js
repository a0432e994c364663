import { relative, resolve, sep } from 'node:path'
import js from '@eslint/js'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import importX from 'eslint-plugin-import-x'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

const main = resolve(import.meta.dirname, 'src-main')
const renderer = resolve(import.meta.dirname, 'src-renderer')

/** Who may import whom, lowest first: a layer may use the layers before it, never its own neighbours or those after it. */
const layers = [
  ['contract'],
  ['domain'],
  ['store', 'blobs', 'vault'],
  ['settings', 'access'],
  ['catalog'],
  ['remotes'],
  ['registry', 'desk'],
  ['shell', 'web'],
  ['app.ts'],
  ['create-desk.ts'],
  ['core.ts'],
  ['commands', 'desktop-app.ts'],
  ['desktop.ts', 'preload.ts', 'cli.ts', 'job-worker.ts']
]

/** Leaves without rules of the product in them: every layer may use them, and they use no layer. */
const leaves = ['log.ts', 'version.ts', 'worker-file.ts', 'data-folder.ts']

const zones = layers
  .flatMap((layer, height) => {
    const above = layers.slice(height + 1).flat()
    return layer.map((target) => ({
      target: resolve(main, target),
      from: [...above, ...layer.filter((neighbour) => neighbour !== target)].map((name) =>
        resolve(main, name)
      ),
      message: 'Layers only look down; see "Layers" in ARCHITECTURE.md.'
    }))
  })
  .filter((zone) => zone.from.length > 0)
const leafZones = leaves.map((leaf) => ({
  target: resolve(main, leaf),
  from: layers.flat().map((name) => resolve(main, name)),
  message: `${leaf} is a leaf and imports nothing of the product.`
}))

/** The interface knows the contract of the product and nothing else of it, and the product nothing of the interface. */
const interfaceZones = [
  {
    target: renderer,
    from: main,
    except: ['contract'],
    message: 'The interface imports src-main/contract/ and nothing else of src-main.'
  },
  { target: main, from: renderer, message: 'The product does not know its interface.' },
  {
    target: resolve(renderer, 'ui'),
    from: resolve(renderer, 'features'),
    message: 'ui/ holds primitives; what a place alone needs belongs to its feature.'
  }
]

/** Packages with a home: what reaches the disk, the database or the network is reviewed there. */
const homes = {
  'better-sqlite3': ['store'],
  electron: ['shell', 'desktop.ts', 'preload.ts'],
  fastify: ['registry', 'web'],
  '@node-rs/argon2': ['access'],
  otplib: ['access'],
  keytar: ['vault']
}
const onlyAtHome = {
  create(context) {
    const [folder] = relative(main, context.filename).split(sep) // or the file itself
    const check = (node) => {
      const name = Object.keys(homes).find((home) => `${node.source?.value}/`.startsWith(`${home}/`))
      if (!name || homes[name].includes(folder) || node.importKind === 'type') return
      const allowed = homes[name].map((home) => `src-main/${home}/`).join(' and ')
      context.report({ node, message: `${name} may be imported only in ${allowed}.` })
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check
    }
  }
}

export default ts.config(
  { ignores: ['out/', '**/out.*/', 'coverage/', 'bench-results/', 'test-results/', 'dist-app/'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: globals.node },
    plugins: {
      'import-x': importX,
      boxyard: { rules: { 'only-at-home': onlyAtHome } }
    },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones: [...zones, ...leafZones, ...interfaceZones] }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_$' }],
      'no-console': 'error',
      eqeqeq: 'error'
    }
  },
  {
    files: ['src-renderer/**'],
    languageOptions: { globals: globals.browser }
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'] } },
    rules: {
      'svelte/no-at-html-tags': 'off', // what is shown so was sanitised by the product, see catalog/markdown.ts
      'svelte/no-navigation-without-resolve': 'off', // of SvelteKit
      'svelte/prefer-svelte-reactivity': 'off' // most collections here are bookkeeping that no view follows
    }
  },
  { files: ['src-main/**/*.ts'], rules: { 'boxyard/only-at-home': 'error' } },
  { files: ['test/**', '.ci/**', '*.config.*'], rules: { 'no-console': 'off' } }
)
