/**
 * Calls that are made again and again, each time with an answer of the same form, in which the numbers only go up and down.
 *
 * Intuition: durations, speeds and memory are measured for each answer, in names and units without end. They go up and down. Progress
 * goes one way: pages read, jobs left, seconds elapsed.
 * Hard cases: a game moves up and down, too, and a benchmark is run after each change. Between the answers, nothing else may happen: an
 * answer with news, one that only says "ok", and a pause end the series.
 */
import type { Figures } from '../text/figures.ts'
import { spacedName } from '../text/tool-name.ts'

/** `ways`: a character for each number that says which ways it went. `answers`: how many came in a row. */
export type Series = {
  readonly sign: string
  readonly form: number
  readonly values: readonly number[]
  readonly ways: string
  readonly answers: number
}

const SAME = '-'
const UP = 'u'
const DOWN = 'd'
const BOTH = 'b'

/** A tool that returns something else each time: the next item, a throw of the dice, a step of a game. */
const DRAWS =
  /\b(?:next|pop|claim|take|receive|dequeue|pull|lease|consume|accept|step|play|move|roll|draw|deal|spin|sample|shuffle|random|simulate|generate)\b/i

/** An answer, and whether its call was made before. `ends`: another call with this answer ends a series. */
interface NumberedAnswer {
  readonly subject: string
  readonly sign: string
  readonly figures: Figures | undefined
  readonly isAgain: boolean
  readonly ends: boolean
}

/** The series after another answer. A call begins one when it is made again. */
export function seriesAfter(
  series: Series | undefined,
  { subject, sign, figures, isAgain, ends }: NumberedAnswer,
): Series | undefined {
  const isOfCall = series?.sign === sign
  if (series && !isOfCall && !ends) return series
  if (!figures || !isAgain || DRAWS.test(spacedName(subject))) return undefined
  return (isOfCall && continued(series, figures)) || started(sign, figures)
}

function started(sign: string, { form, values }: Figures): Series {
  return { sign, form, values, ways: SAME.repeat(values.length), answers: 2 }
}

/** The series with another answer of its form; `undefined` for another form. */
function continued(series: Series, { form, values }: Figures): Series | undefined {
  if (form !== series.form || values.length !== series.values.length) return undefined
  const ways = values.map((value, at) => wayOf(series.ways[at] ?? SAME, series.values[at], value))
  return { ...series, values, ways: ways.join(''), answers: series.answers + 1 }
}

function wayOf(before: string, last = 0, value: number): string {
  if (value === last || before === BOTH) return before
  const way = value > last ? UP : DOWN
  return before === SAME || before === way ? way : BOTH
}

/** How many answers came in a row if each number that changed went up and down, otherwise 0. */
export const answersInVain = (series: Series | undefined): number =>
  series && fluctuates(series) ? series.answers : 0

const fluctuates = ({ ways }: Series): boolean =>
  ways.includes(BOTH) && !ways.includes(UP) && !ways.includes(DOWN)
