/** Reads untrusted JSON field by field. Each fault names the place of the invalid value. */

/** The file is not a valid trace. The message names the file, the line and the expected value. */
export class InvalidTrace extends Error {
  override readonly name = 'InvalidTrace'

  constructor(where: string, message: string) {
    super(`${where}: ${message}`)
  }
}

/** A place in a file: `where` is the file and the line, `path` continues from there, as `events[3].tool`. */
export interface Place {
  readonly where: string
  readonly path: string
}

/** Reports an item of an unknown kind. Such an item has no acts. */
export type Skip = (kind: string) => readonly []

export type Fields = Readonly<Record<string, unknown>>

/** A value with its place. */
export type Located = readonly [Place, unknown]

export function inside({ where, path }: Place, key: string | number): Place {
  const separator = path === '' ? '' : '.'
  return { where, path: path + (typeof key === 'number' ? `[${key}]` : `${separator}${key}`) }
}

/** The items of a list, each with its place. */
export function locate(place: Place, list: readonly unknown[]): readonly Located[] {
  return list.map((value, index) => [inside(place, index), value] as const)
}

export function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The field as a map. Any other value is an empty map. */
export function mapAt(fields: Fields, name: string): Fields {
  const value = fields[name]
  return isMap(value) ? value : {}
}

function unexpected({ where, path }: Place, what: string, value: unknown): InvalidTrace {
  const got = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))
  const message = `expected ${what}, got ${got.slice(0, 60)}`
  return new InvalidTrace(where, path === '' ? message : `${path}: ${message}`)
}

/** A JSON object of a file. Each method throws `InvalidTrace` for an unexpected field. */
export class Item {
  readonly place: Place
  readonly fields: Fields

  /** @throws InvalidTrace if the value is not a JSON object */
  constructor(place: Place, value: unknown, what: string) {
    if (!isMap(value)) throw unexpected(place, what, value)
    this.place = place
    this.fields = value
  }

  /** The same place with other fields. */
  with(fields: Fields): Item {
    return new Item(this.place, fields, '')
  }

  /** The fault of a field. Without a name: of the whole item. */
  expected(what: string, name?: string): InvalidTrace {
    return name === undefined
      ? unexpected(this.place, what, this.fields)
      : unexpected(inside(this.place, name), what, this.fields[name])
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
  items(name: string, what: string): readonly Item[] {
    const list = this.fields[name] ?? []
    if (!Array.isArray(list)) throw this.expected('a list', name)
    const place = inside(this.place, name)
    return locate(place, list).map(([at, value]) => new Item(at, value, what))
  }
}
