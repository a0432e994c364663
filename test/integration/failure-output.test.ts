import { describe, expect, it } from 'vitest'
import { run } from '../faults/server.ts'
import { tempDir } from '../support/temp.ts'

const sentence = 'There is no transfer "ffffffff"; `boxyard transfers` shows those there are.'

describe('a command that fails', () => {
  it('tells why in JSON where JSON was asked for, besides the sentence for a person', async () => {
    const ended = await run(tempDir(), 'transfers', 'retry', 'ffffffff', '--json')
    expect(ended).toMatchObject({ code: 1, stderr: `boxyard: ${sentence}` })
    expect(JSON.parse(ended.stdout)).toEqual({ error: sentence })
  })

  it('prints nothing to be taken for a result where it was not', async () => {
    const ended = await run(tempDir(), 'transfers', 'retry', 'ffffffff')
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: `boxyard: ${sentence}` })
  })
})
