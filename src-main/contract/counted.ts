/** A count with what is counted, in sentences of the product and in the interface alike: "1 box", "1,200 boxes". */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en')} ${value === 1 ? one : many}`
