const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const longestKey = 64
const deepest = 200

/** Says that what came is not an object with a list of boxes. */
export class NotAListing extends Error {}

/**
 * Cuts the elements of the `boxes` list out of the JSON object that comes in pieces: an organization may have more boxes
 * than fit in memory. Only one element is held at a time, and none longer than `longest` bytes.
 */
export class BoxSplitter {
  readonly #longest: number
  #depth = 0
  #inString = false
  #escaped = false
  #started = false
  #ended = false
  /** Whether the next text in the outermost object is a key. */
  #atKey = false
  /** Bytes of the key being read; null when none is. */
  #key: number[] | null = null
  #lastKey = ''
  #inBoxes = false
  #sawBoxes = false
  /** Of the element being read, what came in earlier pieces; almost all lie in one, and have none. */
  #before: Buffer[] = []
  #length = 0

  constructor(longest: number) {
    this.#longest = longest
  }

  /** The elements that end within this piece, as JSON, each once it is asked for. */
  *take(chunk: Buffer): Generator<string> {
    let start = this.#before.length > 0 ? 0 : -1
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (this.#inString) {
        this.#inText(byte)
        continue
      }
      if (isSpace(byte)) continue
      if (this.#ended) throw new NotAListing('something follows its end')
      if (this.#inBoxes && this.#depth === 2) {
        if (byte === comma || byte === closeBracket) {
          if (start >= 0) yield this.#cut(chunk, start, at)
          start = -1
          if (byte === comma) continue
        } else if (start < 0) start = at
      }
      this.#outside(byte)
    }
    if (start >= 0) this.#keep(chunk.subarray(start))
  }

  /** To be called after the last piece. */
  end(): void {
    if (!this.#ended) throw new NotAListing('it breaks off')
    if (!this.#sawBoxes) throw new NotAListing('it has no list of boxes')
  }

  #inText(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === backslash) this.#escaped = true
    else if (byte === quote) {
      this.#inString = false
      if (this.#key) {
        this.#lastKey = Buffer.from(this.#key).toString('utf8')
        this.#key = null
        this.#atKey = false
      }
      return
    }
    if (this.#key && this.#key.length < longestKey) this.#key.push(byte)
  }

  #outside(byte: number): void {
    switch (byte) {
      case quote:
        if (this.#depth === 0) throw new NotAListing('it is no object')
        this.#inString = true
        if (this.#depth === 1 && this.#atKey) this.#key = []
        return
      case openBrace:
      case openBracket:
        this.#open(byte)
        return
      case closeBrace:
      case closeBracket:
        this.#depth -= 1
        if (this.#depth === 1) this.#inBoxes = false
        if (this.#depth < 0) throw new NotAListing('it closes more than it opened')
        this.#ended = this.#depth === 0
        return
      case comma:
        if (this.#depth === 1) this.#atKey = true
        return
      case colon:
        return
      default:
        if (this.#depth === 0) throw new NotAListing('it is no object')
    }
  }

  #open(byte: number): void {
    if (!this.#started && byte !== openBrace) throw new NotAListing('it is no object')
    if (!this.#started) this.#atKey = true
    this.#started = true
    if (this.#depth === 1 && byte === openBracket && this.#lastKey === 'boxes') {
      this.#inBoxes = true
      this.#sawBoxes = true
    }
    this.#depth += 1
    if (this.#depth > deepest) throw new NotAListing('it is too deep')
  }

  #cut(chunk: Buffer, start: number, end: number): string {
    this.#measure(end - start)
    const before = this.#before
    this.#length = 0
    if (before.length === 0) return chunk.toString('utf8', start, end)
    this.#before = []
    return Buffer.concat([...before, chunk.subarray(start, end)]).toString('utf8')
  }

  #keep(part: Buffer): void {
    this.#measure(part.length)
    this.#before.push(part)
  }

  #measure(added: number): void {
    this.#length += added
    if (this.#length > this.#longest)
      throw new NotAListing(`one of its boxes is longer than ${this.#longest} bytes`)
  }
}
