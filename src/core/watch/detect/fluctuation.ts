/**
 * Calls that are made again and again, each time with an answer of the same form, in which the numbers only go up and down.
 *
 * Intuition: durations, speeds and memory are measured for each answer, in names and units without end. They go up and down. Progress
 * goes one way: pages read, jobs left, seconds elapsed.
 * Hard cases: a game moves up and down, too, and a benchmark is run after each change. Between the answers, nothing else may happen: an
 * answer with news, and one that only says "ok", end the series.
 */
import { remember } from '../data/json.ts'
import type { Figures } from '../text/figures.ts'

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

const SERIES_MAX = 3

/**
 * The series after another answer, the one that it continues last. A call begins one when it is made again. `ends`: an answer that
 * belongs to none ends all of them.
 */
export function seriesAfter(
  all: readonly Series[],
  { sign, figures, isAgain, ends }: Fluctuating,
): readonly Series[] {
  const known = all.find(series => series.sign === sign)
  const next = known && figures && continued(known, figures)
  if (next) return [...all.filter(series => series !== known), next]
  const others = all.filter(series => series !== known)
  if (figures && isAgain) return remember(others, started(sign, figures), SERIES_MAX)
  return ends ? [] : others
}

/** An answer, and whether its call was made before. */
interface Fluctuating {
  readonly sign: string
  readonly figures: Figures | undefined
  readonly isAgain: boolean
  readonly ends: boolean
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

/** How many answers of the latest series came in a row, if in all series each number that changed went up and down, otherwise 0. */
export const answersInVain = (all: readonly Series[]): number =>
  all.every(fluctuates) ? (all.at(-1)?.answers ?? 0) : 0

const fluctuates = ({ ways }: Series): boolean =>
  ways.includes(BOTH) && !ways.includes(UP) && !ways.includes(DOWN)
