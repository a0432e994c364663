import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Api } from '../../../../../src-main/remotes/ends/http/api.ts'
import { Exchange } from '../../../../../src-main/remotes/ends/http/exchange.ts'
import { usualLimits } from '../../../../../src-main/remotes/ends/http/limits.ts'
import { Routes } from '../../../../../src-main/remotes/ends/http/routes.ts'

const token = 'sEcReT-token'

/** What is said of a call that is always sent on to that address. */
async function saidOf(location: string): Promise<{ text: string; asked: number }> {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.writeHead(301, { location }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const routes = new Routes({ authorities: () => [], connectTime: usualLimits.connectTime, environment: {} })
  const api = new Api({ base, token, limits: usualLimits, exchange: new Exchange(usualLimits, routes) })
  onTestFinished(() => api.close())
  const error = await api
    .call({ method: 'GET', at: '/api/v2/box/acme/tiny', signal: AbortSignal.timeout(10_000) })
    .catch((error: unknown) => error)
  return { text: error instanceof Error ? error.message : expect.fail('it was answered'), asked }
}

describe('a call that is sent on', () => {
  it.each([
    ['https://elsewhere.example/x', 'to elsewhere.example,'],
    ['//elsewhere.example/x', 'to elsewhere.example,'],
    [`https://${token}@elsewhere.example/`, 'to elsewhere.example,'],
    [`https://${token}.elsewhere.example/`, 'to another address,'],
    ['file:///etc/passwd', 'to another address,'],
    ['javascript:1', 'to another address,'],
    ['http://[', 'to another address,']
  ])('to %j goes nowhere, and nothing of the token is said', async (location, words) => {
    const { text, asked } = await saidOf(location)
    expect(text).toContain(words)
    expect(text.toLowerCase()).not.toContain(token.toLowerCase())
    expect(asked).toBe(1)
  })

  it('to itself again and again is said to have no end', async () => {
    const { text, asked } = await saidOf('/again')
    expect(text).toContain('without end')
    expect(asked).toBe(6)
  })
})
