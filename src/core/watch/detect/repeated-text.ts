/**
 * The same text, or the same exchange of up to three texts, `times` times without an action in between. With
 * other texts of the agent in between, two more times. A paragraph counts with anything in between. A sentence of an agent that
 * differs only in numbers, times, ids, punctuation or emoji needs four more times, and a word such as "Done." three more.
 *
 * Intuition: an agent that says the same for the third time, and does nothing, will say it a fourth time. Two agents that
 * answer each other in the same words are the same case with a longer period. An agent that explains its next step in the same
 * paragraph for the third time has learned nothing from the steps in between, whatever they answered.
 *
 * Hard case: a harness that complains about each empty reply repeats only its own complaint. It needs time to work, so texts
 * of people get `nudges` laps. "Yes" may be the right answer to each of many questions, so after a new message it starts again, and after something new that a graph gives to its model. A person who asks with another number asks another question. Rejected: partial similarity.
 * Reports on steps of real work differ in few words.
 */
import type { OptionsOf } from '../policy/detect-keys.ts'
import { type BuiltIn, confidenceOf } from './detector.ts'
import { remember, shortHash, cycleKey, hash } from '../data/json.ts'
import { isLabel } from '../normalize/observed.ts'

type State = {
  readonly latest: readonly Text[]
  /** The latest paragraphs since a person spoke, with and without actions in between. */
  readonly paragraphs: readonly Text[]
  /** For each period, how many consecutive texts equal the text one period earlier. */
  readonly runs: readonly number[]
  /** The same for the words of texts, without their numbers and symbols. */
  readonly wordRuns: readonly number[]
}

type Text = readonly [
  ...[hash: string, speaker: string, seq: number, person: boolean, words: string, label: boolean],
]

const PERIOD_MAX = 3
const PERIODS = Array.from({ length: PERIOD_MAX }, (_, index) => index + 1)
const TEXTS_MAX = 12
/** With new texts in between, the same text needs this many more occurrences. */
const SCATTERED = 2
/** With another number each time, a sentence needs this many more occurrences: a few may be results. */
const MORE_WITH_NUMBERS = 4
/** A phrase that an agent repeats at each step is shorter than this. */
const PARAGRAPH = 300
/** A word such as `done` that answers no new question needs this many more occurrences: it may be right a few times. */
const MORE_OF_LABELS = 3

export const repeatedText: BuiltIn<State, 'repeatedText', 'said'> = {
  name: 'repeatedText',
  version: 6,
  start: { latest: [], paragraphs: [], runs: [], wordRuns: [] },
  finds: 'loop',
  sees: ['said'],
  observe(before, observation, options) {
    const { acted, asked, command, length, hash, subject, seq, person } = observation
    const { textHash = hash, wordsHash = textHash } = observation
    const { start } = repeatedText
    const label = command && isLabel(length)
    const text: Text = [textHash, subject, seq, person === true, wordsHash, label]
    const known = asked ? [] : before.paragraphs
    const long = length >= PARAGRAPH ? remember(known, text, TEXTS_MAX) : undefined
    const paragraphs = person ? [] : (long ?? known)
    if (observation.answers) return [{ ...start, paragraphs }, undefined]
    const state = acted || asked ? start : before
    const latest = remember(state.latest, text, TEXTS_MAX)
    const runs = runsAfter(state.runs, latest, isSame)
    const wordRuns = runsAfter(state.wordRuns, latest, hasSameWords)
    const next = { latest, paragraphs, runs, wordRuns }
    const laps = (back: number) => lapsNeeded(latest, back, options)
    const exact = periodOf(runs, laps)
    const more = options.times + MORE_WITH_NUMBERS
    const period = exact ?? periodOf(wordRuns, back => Math.max(laps(back), more))
    // One text repeated is not an exchange of two.
    const primitive = period === 1 || !isSame(latest.at(-1), latest.at(-2))
    if (period !== undefined)
      return [next, primitive ? draftOf(next, period, exact !== undefined) : undefined]
    const again = long && scatteredDraft(paragraphs, options.times, 'repeated-paragraph')
    return [next, again ?? scatteredDraft(latest, options.times + SCATTERED, 'repeated-text')]
  },
}

type Same = (one: Text | undefined, other: Text | undefined) => boolean

const isSame: Same = (one, other) => one?.[0] === other?.[0] && one?.[1] === other?.[1]
const hasSameWords: Same = (one, other) => one?.[4] === other?.[4] && one?.[1] === other?.[1]

/** The runs after the latest text. */
const runsAfter = (runs: State['runs'], latest: State['latest'], same: Same) =>
  PERIODS.map(back => (same(latest.at(-1 - back), latest.at(-1)) ? (runs[back - 1] ?? 0) + 1 : 0))

/** The shortest period with enough laps. */
const periodOf = (runs: readonly number[], laps: (period: number) => number) =>
  PERIODS.find(back => (runs[back - 1] ?? 0) >= (laps(back) - 1) * back)

function lapsNeeded(latest: State['latest'], period: number, options: OptionsOf<'repeatedText'>) {
  const { times, nudges } = options
  const cycle = latest.slice(-period)
  if (cycle.every(([, , , person]) => person)) return nudges
  return cycle.every(([, , , person, , label]) => person || label) ? times + MORE_OF_LABELS : times
}

/** The latest text among other texts of agents. A text of a person may ask for the same answer again. */
function scatteredDraft(latest: State['latest'], times: number, code: RepeatCode) {
  const text = latest.at(-1)
  const own = latest.slice(latest.findLastIndex(([, , , person]) => person) + 1)
  const same = own.filter(other => isSame(other, text))
  return text && !text[5] && same.length >= times
    ? draftFor({ cycle: [text], repeats: same.length, texts: same, code })
    : undefined
}

function draftOf({ latest, runs, wordRuns }: State, period: number, exact: boolean) {
  const run = (exact ? runs : wordRuns)[period - 1] ?? 0
  const laps = Math.floor(run / period) + 1
  const cycle = latest.slice(-period)
  const same = exact ? cycle : cycle.map(([, ...rest]): Text => [rest[3], ...rest])
  const texts = latest.slice(-2 * PERIOD_MAX)
  return draftFor({ cycle: same, repeats: laps, texts, code: 'repeated-text' })
}

/** Calls may stand between paragraphs. */
type RepeatCode = 'repeated-text' | 'repeated-paragraph'

interface Repeated {
  readonly cycle: readonly Text[]
  readonly repeats: number
  readonly texts: readonly Text[]
  readonly code: RepeatCode
}

function draftFor({ cycle, repeats, texts, code }: Repeated) {
  const members = cycle.map(([, speaker]) => speaker)
  const signs = cycle.map(([text, speaker]) => shortHash(hash(`${speaker} ${text}`)))
  const events = texts.map(([, , seq]) => seq)
  const reason = { code, params: { speakers: members, times: repeats } } as const
  const seen = { members, period: cycle.length, repeats, events, reason }
  return { id: `repeatedText ${cycleKey(signs)}`, ...seen, confidence: confidenceOf(repeats - 1) }
}
