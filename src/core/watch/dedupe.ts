/** Reports a loop that continues: once, and again each time its length has doubled. */
import { remember } from './data/json.ts'
import type { FindingDraft } from './event/finding.ts'

type Names = readonly string[]
/** All names of the loop, the signatures of its calls, the calls in its laps when it was reported, and the findings since. */
type ReportedLoop = readonly [ids: Names, signs: Names, length: number, since: number]
export type ReportedLoops = readonly ReportedLoop[]

const REPORTED_MAX = 12
const NAMES_MAX = 6

/** Several detectors may see one loop. Loops with a common call are the same. */
function isSameLoop([ids, signs]: ReportedLoop, { id, signs: own = [] }: FindingDraft): boolean {
  return ids.includes(id) || own.some(sign => signs.includes(sign))
}

/** Takes the findings of one event. Returns those to report as the second value. */
export function dedupe(
  reported: ReportedLoops,
  drafts: readonly FindingDraft[],
): readonly [ReportedLoops, readonly FindingDraft[]] {
  const counted = new Set<ReportedLoop>()
  const news: FindingDraft[] = []
  const next = drafts.reduce((all, draft) => {
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

function countLap(known: ReportedLoop, draft: FindingDraft, counted: boolean): ReportedLoop {
  const [ids, signs, length, since] = known
  const count = since + (counted ? 0 : 1)
  const names = [mergeNames(ids, [draft.id]), mergeNames(signs, draft.signs)] as const
  return count >= length ? [...names, 2 * length, 0] : [...names, length, count]
}

function mergeNames(known: Names, more: Names = []): Names {
  return [...new Set([...known, ...more])].slice(-NAMES_MAX)
}
