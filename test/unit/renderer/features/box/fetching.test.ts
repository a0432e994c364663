import { expect, it } from 'vitest'
import type { TransferStep } from '../../../../../src-main/contract/transfers.ts'
import { fetchingOf } from '../../../../../src-renderer/features/box/fetching.ts'
import { remoteTransfer } from '../remote-transfer.ts'

const image = { provider: 'libvirt', architecture: 'amd64' }
const version = { number: '1.2.0' }
const put = (state: TransferStep['state'], key = 'put-bytes 1.2.0 libvirt/amd64'): TransferStep => ({
  ...{ key, kind: 'put-bytes', sentence: key, state, bytes: 100, bytesDone: 0 }
})
const one = remoteTransfer({ direction: 'pull', what: '1.2.0 for libvirt on amd64' })
const all = remoteTransfer({ direction: 'pull', what: 'all versions' })

it.each([
  { title: 'one of it alone, whatever its steps', pull: { transfer: one, steps: undefined }, is: true },
  { title: 'one of the box, once it is planned', pull: { transfer: all, steps: [put('pending')] }, is: true },
  { title: 'one of the box that is not planned', pull: { transfer: all, steps: undefined }, is: false },
  { title: 'one that has brought it', pull: { transfer: one, steps: [put('done')] }, is: false },
  { title: 'one that leaves it out', pull: { transfer: all, steps: [put('left-out')] }, is: false },
  {
    title: 'one of another image',
    pull: { transfer: all, steps: [put('running', 'put-bytes 1.2.0 qemu/amd64')] },
    is: false
  }
])('an image is being fetched by $title: $is', ({ pull, is }) => {
  expect(fetchingOf([pull], version, image)?.transfer).toBe(is ? pull.transfer : undefined)
})
