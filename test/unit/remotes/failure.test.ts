import { expect, it } from 'vitest'
import { longestAskedFor, RemoteFailure } from '../../../src-main/remotes/failure.ts'

it.each([
  { asked: undefined, believed: null },
  { asked: null, believed: null },
  { asked: 0, believed: 0 },
  { asked: 7000, believed: 7000 },
  { asked: -5, believed: 0 },
  { asked: longestAskedFor + 1, believed: longestAskedFor },
  { asked: Infinity, believed: longestAskedFor }
])('a remote that asks to be left alone for $asked ms is, for $believed ms', ({ asked, believed }) => {
  const details = asked === undefined ? {} : { retryAfter: asked }
  expect(new RemoteFailure('busy', ['It is busy.'], details).retryAfter).toBe(believed)
})
