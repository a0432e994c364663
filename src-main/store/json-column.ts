/** What a column holds as JSON. What cannot be read, or is another thing, keeps nobody from the rest of the row, nor from other rows. */
export function jsonOf<T>(json: string | null, otherwise: T, isOne: (value: unknown) => boolean): T {
  try {
    const value: unknown = json === null ? null : JSON.parse(json)
    return isOne(value) ? (value as T) : otherwise
  } catch {
    return otherwise
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
