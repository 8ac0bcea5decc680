/** What has been told of, where nobody is led out of it: each loop once, and again only when it has gone on for as long again. */
import type { Sketch } from './finding.ts'
import { remember } from './memory.ts'

/** A loop that was told of: all names it has, the calls it is known by, of how many calls its laps were made then, and how many there have been since. */
type Told = readonly [
  ids: readonly string[],
  signs: readonly string[],
  length: number,
  since: number,
]
export type Reported = readonly Told[]

const REPORTED_MAX = 12
const NAMES_MAX = 6

/** Several detectors see one loop, each in its own way: what goes round in the same calls is the same. */
function isOf([ids, signs]: Told, { id, signs: own = [] }: Sketch): boolean {
  return ids.includes(id) || own.some(sign => signs.includes(sign))
}

/** What was seen at one event; the second value is what of it is to be told. */
export function told(
  reported: Reported,
  sketches: readonly Sketch[],
): readonly [Reported, readonly Sketch[]] {
  const counted = new Set<Told>()
  const news: Sketch[] = []
  const next = sketches.reduce((all, sketch) => {
    const known = all.find(other => isOf(other, sketch))
    const loop = known ? oneMore(known, sketch, counted.has(known)) : first(sketch)
    counted.add(loop)
    if (loop[3] === 0 && !(known && counted.has(known))) news.push(sketch)
    return known
      ? all.map(other => (other === known ? loop : other))
      : remember(all, loop, REPORTED_MAX)
  }, reported)
  return [next, news]
}

function first({ id, signs = [], period, repeats }: Sketch): Told {
  return [[id], signs.slice(-NAMES_MAX), period * repeats, 0]
}

function oneMore(
  [ids, signs, length, since]: Told,
  { id, signs: own = [] }: Sketch,
  counted: boolean,
): Told {
  const more = since + (counted ? 0 : 1)
  const again = more >= length
  return [names(ids, [id]), names(signs, own), again ? 2 * length : length, again ? 0 : more]
}

function names(known: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...known, ...more])].slice(-NAMES_MAX)
}
