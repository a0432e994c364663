/** Told now and then by jobs that take long; the total is null where nobody knows it beforehand. */
export type Progress = (done: number, total: number | null) => void
