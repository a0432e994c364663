import { resolve } from 'node:path'
import { ESLint } from 'eslint'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const eslint = new ESLint({ cwd: root })

/** What lint says about a file of that path with only this import in it. */
const complaints = (file: string, imported: string): Promise<string[]> =>
  complaintsAbout(file, `import * as it from '${imported}'\nexport const used = it\n`)

async function complaintsAbout(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: resolve(root, 'src-main', file) })
  return result?.messages.map((message) => message.message) ?? []
}

describe('the layers', () => {
  it.each([
    ['domain/x.ts', '../store/open.ts'],
    ['domain/x.ts', '../app.ts'],
    ['store/x.ts', '../blobs/driver.ts'],
    ['blobs/x.ts', '../store/open.ts'],
    ['vault/x.ts', '../store/open.ts'],
    ['access/x.ts', '../catalog/boxes.ts'],
    ['catalog/x.ts', '../registry/server.ts'],
    ['catalog/upkeep/x.ts', '../../registry/server.ts'],
    ['registry/x.ts', '../app.ts'],
    ['registry/x.ts', '../commands/command.ts'],
    ['app.ts', './commands/command.ts'],
    ['commands/x.ts', '../cli.ts'],
    ['desk/x.ts', '../registry/server.ts'],
    ['web/x.ts', '../shell/ipc.ts'],
    ['web/x.ts', '../app.ts'],
    ['app.ts', './create-desk.ts'],
    ['create-desk.ts', './core.ts'],
    ['core.ts', './commands/command.ts']
  ])('refuse that %s imports %s', async (file, imported) => {
    expect(await complaints(file, imported)).toEqual([expect.stringContaining('Layers only look down')])
  })

  it.each([
    ['store/x.ts', '../domain/model.ts'],
    ['catalog/x.ts', '../access/permissions.ts'],
    ['registry/x.ts', '../catalog/boxes.ts'],
    ['commands/x.ts', '../app.ts'],
    ['domain/x.ts', '../log.ts'],
    ['web/x.ts', '../desk/desk.ts'],
    ['commands/x.ts', '../core.ts']
  ])('let %s import %s', async (file, imported) => {
    expect(await complaints(file, imported)).toEqual([])
  })

  it('keep the leaves free of the product', async () => {
    expect(await complaints('log.ts', './domain/problem.ts')).toEqual([
      expect.stringContaining('log.ts is a leaf')
    ])
  })
})

describe('packages with a home', () => {
  it.each([
    ['better-sqlite3', 'catalog', 'store'],
    ['fastify', 'commands', 'registry'],
    ['fastify', 'desk', 'web'],
    ['electron', 'desk', 'shell'],
    ['@node-rs/argon2', 'registry', 'access'],
    ['otplib', 'catalog', 'access']
  ])('%s is refused in %s/ and welcome in %s/', async (name, elsewhere, home) => {
    expect(await complaints(`${elsewhere}/x.ts`, name)).toEqual([
      expect.stringMatching(new RegExp(`^${name} may be imported only in .*src-main/${home}/`))
    ])
    expect(await complaints(`${home}/x.ts`, name)).toEqual([])
  })

  it.each([
    "export const it = import('fastify')",
    "export { fastify } from 'fastify'",
    "export * from 'fastify'"
  ])('are refused in every form: %s', async (code) => {
    expect(await complaintsAbout('catalog/x.ts', `${code}\n`)).toHaveLength(1)
  })

  it('may be spoken of as types', async () => {
    const code = "import type { FastifyInstance } from 'fastify'\nexport type It = FastifyInstance\n"
    expect(await complaintsAbout('catalog/x.ts', code)).toEqual([])
  })
})
