/** What has been told of, where nobody is led out of it: each loop once, and again only when it has gone on for as long again. */
import type { FindingDraft } from './event/finding.ts'
import { remember } from './data/json.ts'

/** A loop that was told of: all names it has, the calls it is known by, of how many calls its laps were made then, and how many there have been since. */
type ReportedLoop = readonly [
  ids: readonly string[],
  signs: readonly string[],
  length: number,
  since: number,
]
export type ReportedLoops = readonly ReportedLoop[]

const REPORTED_MAX = 12
const NAMES_MAX = 6

/** Several detectors see one loop, each in its own way: what goes round in the same calls is the same. */
function isSameLoop([ids, signs]: ReportedLoop, { id, signs: own = [] }: FindingDraft): boolean {
  return ids.includes(id) || own.some(sign => signs.includes(sign))
}

/** What was seen at one event; the second value is what of it is to be told. */
export function dedupe(
  reported: ReportedLoops,
  sketches: readonly FindingDraft[],
): readonly [ReportedLoops, readonly FindingDraft[]] {
  const counted = new Set<ReportedLoop>()
  const news: FindingDraft[] = []
  const next = sketches.reduce((all, draft) => {
    const known = all.find(other => isSameLoop(other, draft))
    const loop = known ? countLap(known, draft, counted.has(known)) : newLoop(draft)
    counted.add(loop)
    if (loop[3] === 0 && !(known && counted.has(known))) news.push(draft)
    return known
      ? all.map(other => (other === known ? loop : other))
      : remember(all, loop, REPORTED_MAX)
  }, reported)
  return [next, news]
}

function newLoop({ id, signs = [], period, repeats }: FindingDraft): ReportedLoop {
  return [[id], signs.slice(-NAMES_MAX), period * repeats, 0]
}

function countLap(
  [ids, signs, length, since]: ReportedLoop,
  { id, signs: own = [] }: FindingDraft,
  counted: boolean,
): ReportedLoop {
  const more = since + (counted ? 0 : 1)
  const again = more >= length
  return [
    mergeNames(ids, [id]),
    mergeNames(signs, own),
    again ? 2 * length : length,
    again ? 0 : more,
  ]
}

function mergeNames(known: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...known, ...more])].slice(-NAMES_MAX)
}
