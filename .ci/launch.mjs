/**
 * What the scripts of package.json run, and what tests call to have a build. It has to work on a fresh clone and on a Node
 * too old for the product itself, so everything in this folder is plain JavaScript without dependencies.
 */
import { inRoot, root } from './paths.mjs'
import { prepare } from './prepare.mjs'
import { runProduct, runToEnd, suitableNode } from './runtime.mjs'

const [task, ...rest] = process.argv.slice(2)
const tasks = {
  start: async () => {
    const { start } = await import('./start.mjs')
    await start(rest)
  },
  boxyard: async () => {
    await prepare()
    await runProduct(rest)
  },
  prepare: () => prepare(),
  build: () => prepare({ rebuild: true }),
  test: async () => {
    const { testEverything } = await import('./test-everything.mjs')
    await testEverything()
  },
  package: async () => {
    await prepare()
    const builder = inRoot('node_modules', 'electron-builder', 'cli.js')
    process.exitCode = await runToEnd(suitableNode(), [builder, ...rest], { cwd: root, stdio: 'inherit' })
  },
  'test-desktop': async () => {
    const { testDesktop } = await import('./test-desktop.mjs')
    await testDesktop(rest)
  }
}

try {
  if (!Object.hasOwn(tasks, task))
    throw new Error(`usage: launch.mjs ${Object.keys(tasks).join('|')} [ARGUMENT…]`)
  await tasks[task]()
} catch (error) {
  process.stderr.write(`boxyard: ${error.message}\n`)
  process.exitCode = 1
}
