import { describe, expect, it } from 'vitest'
import { readLaunch } from '../../../src-main/shell/launch-arguments.ts'

const nothing = { hidden: false, files: [], links: [], problems: [] }

describe('a command line of the desktop', () => {
  it.each([
    [[], nothing],
    [['--data', 'lab'], { ...nothing, data: '/home/me/lab' }],
    [['--data=/srv/boxes', '--port=0'], { ...nothing, data: '/srv/boxes', port: 0 }],
    [['--host', '0.0.0.0', '--owner', 'acme'], { ...nothing, host: '0.0.0.0', owner: 'acme' }],
    [['--hidden'], { ...nothing, hidden: true }],
    [['base.box', '/tmp/a b.box'], { ...nothing, files: ['/home/me/base.box', '/tmp/a b.box'] }],
    [['boxyard://box/acme/base'], { ...nothing, links: ['boxyard://box/acme/base'] }],
    // Chromium's switches and the system's are none of its business.
    [['--no-sandbox', '--lang=de', '-psn_0_1', '--original-process-start-time=1'], nothing],
    [['--port', 'many'], { ...nothing, problems: ['--port many must be a whole number from 0 to 65535.'] }],
    [['--port', '65536'], { ...nothing, problems: ['--port 65536 must be a whole number from 0 to 65535.'] }],
    [['--data'], { ...nothing, problems: ['--data needs a value.'] }],
    [['--owner='], { ...nothing, problems: ['--owner needs a value.'] }]
  ])('%j', (args, expected) => {
    expect(readLaunch(args, '/home/me')).toEqual(expected)
  })

  it('takes no more files than anybody would name', () => {
    expect(readLaunch(Array(2_000).fill('x.box'), '/').files).toHaveLength(1_000)
  })
})
