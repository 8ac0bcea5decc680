/** What somebody else wrote, field by field; what is not as expected is told with its place. */

/** A file that is no trace: the message names the file, the line, and what was expected there. */
export class InvalidTrace extends Error {
  override readonly name = 'InvalidTrace'
}

/** A place in a file: `where` is the file and the line, `path` leads on from there, as `events[3].tool`. */
export interface Place {
  readonly where: string
  readonly path: string
}

/** Is told the kind of what is passed over, because nobody here knows it. */
export type Passed = (kind: string) => void

export type Fields = Readonly<Record<string, unknown>>

export function inside({ where, path }: Place, key: string | number): Place {
  return {
    where,
    path: typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
  }
}

export function fault({ where, path }: Place, message: string): InvalidTrace {
  return new InvalidTrace(`${where}: ${path === '' ? '' : `${path}: `}${message}`)
}

export function expected(place: Place, what: string, value: unknown): InvalidTrace {
  return fault(
    place,
    `expected ${what}, got ${value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)).slice(0, 60)}`,
  )
}

/** @throws InvalidTrace */
export function mapAt(place: Place, value: unknown, what: string): Fields {
  if (!isMap(value)) throw expected(place, what, value)
  return value
}

export function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Its items, each with its place; a list that is absent or `null` is empty. @throws InvalidTrace */
export function listIn(
  place: Place,
  fields: Fields,
  name: string,
): readonly (readonly [Place, unknown])[] {
  const list = fields[name] ?? []
  const at = inside(place, name)
  if (!Array.isArray(list)) throw expected(at, 'a list', list)
  return list.map((item, index) => [inside(at, index), item] as const)
}

/** @throws InvalidTrace */
export function textIn(place: Place, fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw expected(inside(place, name), 'a text', value)
  return value
}

/** `null` is as good as absent. @throws InvalidTrace */
export function optionalIn(place: Place, fields: Fields, name: string): string | undefined {
  return fields[name] === undefined || fields[name] === null
    ? undefined
    : textIn(place, fields, name)
}
