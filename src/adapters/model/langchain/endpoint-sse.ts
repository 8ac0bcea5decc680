/** Parses server-sent events. Their lines may end with `\n`, `\r\n` or `\r`, and an event may have several lines of data. */

export interface ServerEvent {
  /** Its name, in the field `event`. */
  readonly name: string | undefined
  readonly data: string
}

const LINE_END = /\r\n|\n|\r/

/** The end of a list or object in JSON, and the beginning of one. No JSON has a line that begins so after a line that ends so. */
const CLOSES = /[}\]]\s*$/
const OPENS = /^\s*[{[]/
/** Blanks at the end of a line that are read. */
const BLANKS_MAX = 20

/** Only the new part of a stream is split: a line may arrive in very many parts. */
export class EventParser {
  #line = ''
  #name: string | undefined
  #data: string[] = []
  #endsWithReturn = false

  /** The events that this part completes. */
  add(part: string): ServerEvent[] {
    if (part === '') return []
    // A line end may arrive in two parts.
    const isSplit = this.#endsWithReturn && part.startsWith('\n')
    this.#endsWithReturn = part.endsWith('\r')
    const [rest = '', ...lines] = (isSplit ? part.slice(1) : part).split(LINE_END)
    this.#line += rest
    if (lines.length === 0) return []
    const whole = [this.#line, ...lines]
    this.#line = whole.pop() ?? ''
    const events = whole.flatMap(line => this.#addLine(line) ?? [])
    // The next line may never come.
    const isLast = this.#line === '' && whole.at(-1)?.startsWith('data:')
    const last = isLast && this.#isWhole() ? this.#take() : undefined
    return last ? [...events, last] : events
  }

  /** The events that have arrived without their end. Only the last one may be cut. */
  rest(): ServerEvent[] {
    const line = this.#line
    this.#line = ''
    return [line, ''].flatMap(each => this.#addLine(each) ?? [])
  }

  /** The event that ends before or with this line. */
  #addLine(line: string): ServerEvent | undefined {
    if (line === '') return this.#take()
    if (line.startsWith('data:')) {
      const data = valueIn(line)
      const event = this.#endsBefore(data) ? this.#take() : undefined
      this.#data.push(data)
      return event
    }
    if (!line.startsWith('event:')) return undefined
    const event = this.#name === undefined ? undefined : this.#take()
    this.#name = valueIn(line)
    return event
  }

  /** Some endpoints send no blank line between events. Data of several lines has no second value. */
  #endsBefore(data: string): boolean {
    const last = this.#data.at(-1)
    return last !== undefined && OPENS.test(data) && CLOSES.test(last.slice(-BLANKS_MAX))
  }

  /** Only the first line of an event is parsed: it may have very many. */
  #isWhole(): boolean {
    const [first = '', ...others] = this.#data
    return others.length === 0 && OPENS.test(first) && isJson(first)
  }

  #take(): ServerEvent | undefined {
    const event = { name: this.#name, data: this.#data.join('\n') }
    this.#name = undefined
    this.#data = []
    return event.data === '' ? undefined : event
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const valueIn = (line: string): string => line.slice(line.indexOf(':') + 1).replace(/^ /, '')

export function textOfEvent({ name, data }: ServerEvent): string {
  const lines = data.split('\n').map(line => `data: ${line}\n`)
  return `${name === undefined ? '' : `event: ${name}\n`}${lines.join('')}\n`
}
