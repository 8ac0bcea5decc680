/** Where the journals of two runs with one seed differ. */
import type { Row } from '../../core/run/run.ts'
import { truncate } from '../../core/watch/data/fault.ts'
import { type Json, canonical, isMap } from '../../core/watch/data/json.ts'
import { simulate, type Subject } from '../run/simulate.ts'

/** The first value of two journals that differs, as excerpts of JSON; `undefined` where it is missing. */
export interface JournalDifference {
  /** The number of the row. */
  readonly seq: number
  /** The type of its event, and the tool or model of a call. */
  readonly event: string
  /** The path of the value in the row. Empty if only one journal has the row. */
  readonly path: string
  readonly values: readonly [string | undefined, string | undefined]
}

/** Runs a seed twice. Returns `undefined` if the journals are equal. @throws OracleFailed, SystemFailed */
export async function findDifference(
  subject: Subject,
  seed: number,
): Promise<JournalDifference | undefined> {
  const { journal: one } = await simulate(subject, { seed })
  const { journal: other } = await simulate(subject, { seed })
  return differenceOf(one, other)
}

/** The first difference of two journals. */
export function differenceOf(
  one: readonly Row[],
  other: readonly Row[],
): JournalDifference | undefined {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const rows = [one[index], other[index]] as const
    const found = differing(rows[0] as Json | undefined, rows[1] as Json | undefined)
    const row = rows[0] ?? rows[1]
    if (found && row) return { seq: row.seq, event: nameOf(row), ...found }
  }
  return undefined
}

function nameOf({ event }: Row): string {
  return 'subject' in event ? `${event.type} ${event.subject}` : event.type
}

type Found = Pick<JournalDifference, 'path' | 'values'>

/** Keys whose values are hashes of others, which say more. */
const HASHES = ['key', 'digest']

/** The first value that differs, in the order of the keys. */
function differing(one: Json | undefined, other: Json | undefined, path = ''): Found | undefined {
  if (isParent(one) && isParent(other) && Array.isArray(one) === Array.isArray(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    const [hashes, others] = [[...keys].filter(isHash), [...keys].filter(key => !isHash(key))]
    for (const key of [...others, ...hashes]) {
      const inner = path === '' ? key : `${path}.${key}`
      const found = differing(ownValue(one, key), ownValue(other, key), inner)
      if (found) return found
    }
    return undefined
  }
  const values = [excerptOf(one), excerptOf(other)] as const
  return textOf(one) === textOf(other) ? undefined : { path, values }
}

const isHash = (key: string): boolean => HASHES.includes(key)

type Parent = Readonly<Record<string, Json>>

const isParent = (value: Json | undefined): value is Parent =>
  value !== undefined && (isMap(value) || Array.isArray(value))

const ownValue = (of: Parent, key: string): Json | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined

const EXCERPT_MAX = 60

const textOf = (value: Json | undefined) => (value === undefined ? undefined : canonical(value))

const excerptOf = (value: Json | undefined): string | undefined =>
  value === undefined ? undefined : truncate(canonical(value), EXCERPT_MAX)

/** As in "event 7, tool.done search: event.result is 1 in one journal, and 2 in the other". */
export function differenceText({ seq, event, path, values }: JournalDifference): string {
  const [one, other] = values
  if (path === '') return `only one journal has event ${seq}, ${event}`
  const [first, second] = [one ?? 'missing', other ?? 'missing']
  return `event ${seq}, ${event}: ${path} is ${first} in one journal, and ${second} in the other`
}
