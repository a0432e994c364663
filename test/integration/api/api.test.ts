import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, sampleRegistry, type Answer, type SampleRegistry } from '../../support/registry.ts'
import { authenticate } from './authenticate.scenarios.ts'
import { boxes } from './boxes.scenarios.ts'
import { catalogue } from './catalogue.scenarios.ts'
import { downloads } from './downloads.scenarios.ts'
import { http } from './http.scenarios.ts'
import { organizations } from './organizations.scenarios.ts'
import { providers } from './providers.scenarios.ts'
import type { Scenario, Step } from './scenario.ts'
import { search } from './search.scenarios.ts'
import { uploads } from './uploads.scenarios.ts'
import { versions } from './versions.scenarios.ts'

const resources = {
  authenticate,
  organizations,
  boxes,
  versions,
  providers,
  uploads,
  search,
  catalogue,
  downloads,
  http
}

const { start, open } = sampleRegistry()

/** For all scenarios that only read. */
let shared: SampleRegistry
beforeAll(async () => {
  shared = await open()
})
afterAll(() => shared.close())

for (const [resource, scenarios] of Object.entries(resources))
  describe(resource, () => {
    for (const version of ['v1', 'v2'] as const)
      it.each(scenarios.filter((each) => (each.in ?? version) === version).map((each) => [each.name, each]))(
        `${version}: %s`,
        async (_name, scenario) => play(scenario, version)
      )
  })

async function play(scenario: Scenario, version: 'v1' | 'v2'): Promise<void> {
  const steps = 'steps' in scenario ? scenario.steps : [scenario]
  const onlyReads = steps.every(({ send }) => /^(GET|HEAD) /.test(send))
  const registry = onlyReads && !scenario.alone ? shared : await start()
  const saved = new Map([
    ['base', registry.url],
    ['host', new URL(registry.url).host]
  ])
  for (const step of steps) {
    const fill = (text: string): string =>
      text
        .replaceAll(':arch', version === 'v2' ? '/amd64' : '')
        .replaceAll(':v', version)
        .replaceAll(/\{(\w+)\}/g, (whole, name: string) => saved.get(name) ?? whole)
    const answer = await send(registry, step, fill)
    verify(answer, step, fill)
    for (const [name, path] of Object.entries(step.save ?? {}))
      saved.set(name, String(field(JSON.parse(answer.text), path)))
  }
}

function send(registry: SampleRegistry, step: Step, fill: (text: string) => string): Promise<Answer> {
  const [method = '', target = ''] = step.send.split(' ')
  const url = fill(target)
  const headers: Record<string, string> = {}
  if (step.as)
    headers['authorization'] = `Bearer ${step.as === 'wrong token' ? 'nobody' : registry.tokens[step.as]}`
  const isJson = typeof step.body === 'object' && !Buffer.isBuffer(step.body)
  if (isJson) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(step.headers ?? {}))
    headers[name] = fill(value).replaceAll('{token}', registry.tokens.owner)
  const body = isJson ? fill(JSON.stringify(step.body)) : (step.body as string | Buffer | undefined)
  return ask(url.startsWith('http') ? url : registry.url + url.replaceAll('{token}', registry.tokens.owner), {
    method,
    headers,
    ...(body !== undefined && { body })
  })
}

function verify(answer: Answer, step: Step, fill: (text: string) => string): void {
  expect(answer.status, `${step.send}: ${answer.text.slice(0, 500)}`).toBe(step.status)
  if (answer.status >= 400 && !step.send.startsWith('HEAD'))
    expect(JSON.parse(answer.text)).toMatchObject({ errors: expect.any(Array), success: false })
  if (step.json !== undefined)
    expect(JSON.parse(answer.text)).toMatchObject(JSON.parse(fill(JSON.stringify(step.json))) as object)
  for (const text of step.has ?? []) expect(answer.text).toContain(fill(text))
  for (const text of step.hasNot ?? []) expect(answer.text).not.toContain(fill(text))
  for (const [name, value] of Object.entries(step.answers ?? {})) {
    const actual = answer.headers[name]
    if (value === null) expect(actual, name).toBeUndefined()
    else if (typeof value === 'string') expect(actual, name).toBe(fill(value))
    else expect(String(actual), name).toMatch(value)
  }
}

function field(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], value)
}
