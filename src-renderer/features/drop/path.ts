/** Where an arrival is corrected and published. */
export const publishPath = (id?: string): string =>
  id === undefined ? '/publish' : `/publish/${encodeURIComponent(id)}`
