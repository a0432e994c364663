import type { RemoteTransfer, TransferStep } from '../../../src-main/contract/transfers.ts'

/** Steps as they were read, with the one under way as it is by now. */
export const withProgress = (
  steps: readonly TransferStep[],
  { step: now }: Pick<RemoteTransfer, 'step'>
): readonly TransferStep[] => (now ? steps.map((step) => (step.key === now.key ? now : step)) : steps)
