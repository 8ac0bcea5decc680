/** Foreign JSON, read field by field. A fault names the place of the value that is not as expected. */

/** A file cannot be read as a trace: the message names the file, the line, and what was expected there. */
export class InvalidTrace extends Error {
  override readonly name = 'InvalidTrace'
}

/** A place in a file: `where` is the file and the line, `path` leads on from there, as `events[3].tool`. */
export interface Place {
  readonly where: string
  readonly path: string
}

/** Called with each kind of item that the format does not define. */
export type Passed = (kind: string) => void

export type Fields = Readonly<Record<string, unknown>>

/** A value with its place. */
export type Located = readonly [Place, unknown]

export function inside({ where, path }: Place, key: string | number): Place {
  const separator = path === '' ? '' : '.'
  return { where, path: path + (typeof key === 'number' ? `[${key}]` : `${separator}${key}`) }
}

/** The items of a list, each with its place. */
export function located(place: Place, list: readonly unknown[]): readonly Located[] {
  return list.map((value, index) => [inside(place, index), value] as const)
}

export function fault({ where, path }: Place, message: string): InvalidTrace {
  return new InvalidTrace(`${where}: ${path === '' ? '' : `${path}: `}${message}`)
}

export function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function expected(place: Place, what: string, value: unknown): InvalidTrace {
  const got = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))
  return fault(place, `expected ${what}, got ${got.slice(0, 60)}`)
}

/** A JSON object of a file. Each method throws `InvalidTrace` where the field is not as expected. */
export class Item {
  readonly place: Place
  readonly fields: Fields

  /** @throws InvalidTrace where the value is not a JSON object */
  constructor(place: Place, value: unknown, what: string) {
    if (!isMap(value)) throw expected(place, what, value)
    this.place = place
    this.fields = value
  }

  /** The same place with other fields. */
  with(fields: Fields): Item {
    return new Item(this.place, fields, '')
  }

  /** The fault of a field, or of the whole without a name. */
  expected(what: string, name?: string): InvalidTrace {
    return name === undefined
      ? expected(this.place, what, this.fields)
      : expected(inside(this.place, name), what, this.fields[name])
  }

  text(name: string): string {
    const value = this.fields[name]
    if (typeof value !== 'string') throw this.expected('a text', name)
    return value
  }

  /** `null` counts as absent. */
  optional(name: string): string | undefined {
    return (this.fields[name] ?? undefined) === undefined ? undefined : this.text(name)
  }

  item(name: string, what: string): Item {
    return new Item(inside(this.place, name), this.fields[name], what)
  }

  /** A list that is absent or `null` is empty. */
  list(name: string): readonly Located[] {
    const list = this.fields[name] ?? []
    if (!Array.isArray(list)) throw this.expected('a list', name)
    return located(inside(this.place, name), list)
  }

  items(name: string, what: string): readonly Item[] {
    return this.list(name).map(([place, value]) => new Item(place, value, what))
  }
}
