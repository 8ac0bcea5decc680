/** Parses server-sent events. Their lines may end with `\n`, `\r\n` or `\r`, and an event may have several lines of data. */

export interface ServerEvent {
  /** Its name, in the field `event`. */
  readonly name: string | undefined
  readonly data: string
}

const LINE_END = /\r\n|\n|\r/

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
    return whole.flatMap(line => this.#addLine(line) ?? [])
  }

  /** The event that has arrived without its end. */
  rest(): ServerEvent | undefined {
    this.#addLine(this.#line)
    this.#line = ''
    return this.#addLine('')
  }

  #addLine(line: string): ServerEvent | undefined {
    if (line !== '') {
      if (line.startsWith('data:')) this.#data.push(valueIn(line))
      else if (line.startsWith('event:')) this.#name = valueIn(line)
      return undefined
    }
    const event = { name: this.#name, data: this.#data.join('\n') }
    this.#name = undefined
    this.#data = []
    return event.data === '' ? undefined : event
  }
}

const valueIn = (line: string): string => line.slice(line.indexOf(':') + 1).replace(/^ /, '')

export function textOfEvent({ name, data }: ServerEvent): string {
  const lines = data.split('\n').map(line => `data: ${line}\n`)
  return `${name === undefined ? '' : `event: ${name}\n`}${lines.join('')}\n`
}
