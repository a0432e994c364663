import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { logFile } from '../../../src-main/shell/log-file.ts'
import { tempDir } from '../../support/temp.ts'

describe('the log file', () => {
  it('keeps lines over starts, in a folder it makes', () => {
    const file = join(tempDir(), 'logs', 'boxyard.log')
    logFile(file)('one\n')
    logFile(file)('two\n')
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  })

  it('never grows beyond its size, and keeps the lines before the last turn', () => {
    const file = join(tempDir(), 'boxyard.log')
    const write = logFile(file, 20)
    for (let count = 0; count < 10; count += 1) write(`line ${count}\n`)
    expect(readFileSync(file, 'utf8')).toBe('line 8\nline 9\n')
    expect(readFileSync(`${file}.old`, 'utf8')).toBe('line 6\nline 7\n')
  })

  it('loses lines rather than throwing', () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'in-the-way'), '')
    expect(() => logFile(join(dir, 'in-the-way', 'boxyard.log'))('x\n')).not.toThrow()
  })
})
