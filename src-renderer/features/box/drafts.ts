/** Descriptions that were being written when their dialog went away unasked, by what they describe; for this run only. */
export const drafts = new Map<string, string>()
