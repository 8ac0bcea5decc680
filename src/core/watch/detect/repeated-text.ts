/**
 * The same text, or the same exchange of up to three texts, `times` times without an action in between. With
 * other texts of the agent in between, two more times. A paragraph counts with anything in between.
 *
 * Intuition: an agent that says the same for the third time, and does nothing, will say it a fourth time. Two agents that
 * answer each other in the same words are the same case with a longer period. An agent that explains its next step in the same
 * paragraph for the third time has learned nothing from the steps in between, whatever they answered.
 *
 * Hard case: a harness that complains about each empty reply repeats only its own complaint. It needs time to work, so texts
 * of people get `nudges` laps. Rejected: partial similarity. Reports on steps of real work differ in few words.
 */
import type { OptionsOf } from '../policy/detect-keys.ts'
import { type BuiltIn, confidenceOf } from './detector.ts'
import { remember, shortHash, cycleKey, hash } from '../data/json.ts'

type State = {
  readonly latest: readonly Text[]
  /** The latest paragraphs since a person spoke, with and without actions in between. */
  readonly paragraphs: readonly Text[]
  /** For each period, how many consecutive texts equal the text one period earlier. */
  readonly runs: readonly number[]
}

type Text = readonly [hash: string, speaker: string, seq: number, person: boolean]

const PERIOD_MAX = 3
const TEXTS_MAX = 12
/** With new texts in between, the same text needs this many more occurrences. */
const SCATTERED = 2
/** A phrase that an agent repeats at each step is shorter than this. */
const PARAGRAPH = 300
/** A label such as `yes` may be the right answer many times. An empty text never is. */
const LABEL = 8

export const repeatedText: BuiltIn<State, 'repeatedText', 'said'> = {
  name: 'repeatedText',
  version: 4,
  start: { latest: [], paragraphs: [], runs: [] },
  finds: 'loop',
  sees: ['said'],
  observe(before, { acted, command, length, hash, textHash, subject, seq, person }, options) {
    const { start } = repeatedText
    const text: Text = [textHash ?? hash, subject, seq, person === true]
    const long = length >= PARAGRAPH ? remember(before.paragraphs, text, TEXTS_MAX) : undefined
    const paragraphs = person ? [] : (long ?? before.paragraphs)
    if (command && length > 0 && length < LABEL) return [{ ...start, paragraphs }, undefined]
    const state = acted ? start : before
    const latest = remember(state.latest, text, TEXTS_MAX)
    const runs: number[] = []
    let period = 0
    for (let back = 1; back <= PERIOD_MAX; back++) {
      const run = isSame(latest.at(-1 - back), text) ? (state.runs[back - 1] ?? 0) + 1 : 0
      runs.push(run)
      if (period === 0 && run >= (lapsNeeded(latest, back, options) - 1) * back) period = back
    }
    const next = { latest, paragraphs, runs }
    // One text repeated is not an exchange of two.
    const primitive = period === 1 || !isSame(latest.at(-1), latest.at(-2))
    if (period > 0) return [next, primitive ? draftOf(next, period) : undefined]
    const again = long && scatteredDraft(paragraphs, options.times)
    return [next, again ?? scatteredDraft(latest, options.times + SCATTERED)]
  },
}

const isSame = (one: Text | undefined, other: Text | undefined): boolean =>
  one?.[0] === other?.[0] && one?.[1] === other?.[1]

function lapsNeeded(latest: State['latest'], period: number, options: OptionsOf<'repeatedText'>) {
  const { times, nudges } = options
  return latest.slice(-period).every(([, , , person]) => person) ? nudges : times
}

/** The latest text among other texts of agents. A text of a person may ask for the same answer again. */
function scatteredDraft(latest: State['latest'], times: number) {
  const text = latest.at(-1)
  const own = latest.slice(latest.findLastIndex(([, , , person]) => person) + 1)
  const same = own.filter(other => isSame(other, text))
  return text && same.length >= times ? draftFor([text], same.length, same) : undefined
}

function draftOf({ latest, runs }: State, period: number) {
  const laps = Math.floor((runs[period - 1] ?? 0) / period) + 1
  return draftFor(latest.slice(-period), laps, latest.slice(-2 * PERIOD_MAX))
}

function draftFor(cycle: readonly Text[], repeats: number, texts: readonly Text[]) {
  const members = cycle.map(([, speaker]) => speaker)
  const signs = cycle.map(([text, speaker]) => shortHash(hash(`${speaker} ${text}`)))
  const events = texts.map(([, , seq]) => seq)
  const reason = { code: 'repeated-text', params: { speakers: members, times: repeats } } as const
  const seen = { members, period: cycle.length, repeats, events, reason }
  return { id: `repeatedText ${cycleKey(signs)}`, ...seen, confidence: confidenceOf(repeats - 1) }
}
