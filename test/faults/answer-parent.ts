/** The process's end of startForked: carries out what it is asked, one answer for each, and ends after "stop". */
export function answerParent<Deed extends { readonly number: number; readonly deed: string }>(
  carryOut: (asked: Deed) => Promise<unknown>
): void {
  process.on('message', (asked: Deed) => {
    carryOut(asked).then(
      (value) => {
        process.send?.({ number: asked.number, value })
        if (asked.deed === 'stop') process.disconnect()
      },
      (error: unknown) => process.send?.({ number: asked.number, error: String(error) })
    )
  })
  process.send?.({ number: 0, value: null })
}
