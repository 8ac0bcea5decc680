import type { Answered, Detector, Spoken } from '../detector.ts'
import type { Sketch } from '../finding.ts'
import { likeness, type WordSketch } from '../likeness.ts'
import { remember } from '../memory.ts'
import { brief, cycleKey, hash } from '../signature.ts'
import { sureOf } from '../sure.ts'

/** The same call, or nearly the same, with the same answer `times` times among the latest `within` calls, whatever lies between. */
export interface RepetitionOptions {
  readonly times: number
  readonly within: number
}

/** A call that was answered. `answer` is the same for the same answer of the same tool. */
type Heard = readonly [sign: string, answer: string, words: WordSketch, numbers: string, said: string, age: number, round: number, seq: number]

type State = {
  readonly heard: readonly Heard[]
  /** How many answers have been news. */
  readonly age: number
  /** The latest text of the agent, where it was one worth repeating. */
  readonly said: string
}

/** What is short of `times` whole laps and is taken for them: words that differ, and news that lay between. */
const DOUBT = 0.35
/** Each piece of news leaves so much of the weight of what was before it; a write that took effect counts for three, since it may have changed the answer. */
const FADING = 0.9
const WRITE_AGE = 3
/** Less alike than this, two calls are two questions. */
const ALIKE = 0.6
/** However alike, not the same: for what is only nearly the third time, one waits for a fourth. With other numbers, somewhat less so. */
const NEARLY = 0.8
const OTHER_NUMBERS = 0.9
/** "ok" to another call says little, and so does any answer to another write: five files written with the same words are five files. */
const BLAND = 0.25
/** Looking for something in another place is another question. */
const NOTHING_FOUND = 0.75
/** Not knowing what came of a call, one knows half. */
const UNSEEN = 0.5
/** Coming back later is what was asked for. */
const LATER = 0.5
/** The same words and the same call: whatever came of it, it was not heard. */
const SAME_WORDS = 0.6
const WORTH_REPEATING = 60
/** Below this, an answer is news. */
const NEWS = 0.3

/**
 * Intuition: somebody who asks the same question again and gets the same answer has forgotten that he asked. Rewording it
 * is no other question, and other calls in between do not excuse it, which is what `sequence` cannot see.
 *
 * Each earlier call with the same answer is evidence, by how alike the calls are and how much was learnt since. So one sum
 * sees exact repetition, reworded searches, drifting indices and cycles in any order, and forgets what lies behind news.
 * Hard cases: writes that are all answered "ok", paging (`page`), waiting, and the same failing test between real edits.
 * Rejected: counting equal calls in a window, which is blind to a changed word and deaf to what happened in between; and
 * comparing calls without their answers, by which most watchdogs in the field stop healthy runs.
 */
export const repetition: Detector<State, RepetitionOptions, 'answered' | 'said'> = {
  name: 'repetition',
  version: 3,
  start: { heard: [], age: 0, said: '' },
  sees: ['answered', 'said'],
  observe(state, sighting, { times, within }) {
    if (sighting.kind === 'said') return [spokenTo(state, sighting), undefined]
    const now = heardNow(state, sighting)
    const laps = state.heard.flatMap(before => {
      const evidence = evidenceOf(before, now, sighting)
      return evidence > 0 ? [{ before, evidence }] : []
    })
    const evidence = laps.reduce((sum, lap) => sum + lap.evidence, 0)
    const news = evidence < NEWS && !sighting.failed
    const age = state.age + (news ? (sighting.wrote ? WRITE_AGE : 1) : 0)
    const next = { ...state, age, heard: remember(state.heard, [now[0], now[1], now[2], now[3], now[4], age, now[6], now[7]] as const, within) }
    if (evidence < times - 1 - DOUBT) return [next, undefined]
    return [next, found(sighting, [...laps.map(({ before }) => before), now], evidence)]
  },
}

function spokenTo(state: State, { person, length, hash }: Spoken): State {
  const said = person || length < WORTH_REPEATING ? '' : brief(hash)
  return person || said === state.said ? state : { ...state, said }
}

function heardNow({ age, said }: State, { subject, key, outcome, asked, round, seq }: Answered): Heard {
  return [brief(key), brief(hash(`${subject} ${outcome}`)), asked?.words ?? '', asked?.numbers ?? '', said, age, round, seq]
}

function evidenceOf(before: Heard, now: Heard, { tone, asked, wrote }: Answered): number {
  // Side by side, the same is asked once; and who waits asks nothing.
  if (before[6] === now[6] || asked?.waits) return 0
  const same = before[0] === now[0]
  const weight = before[1] === now[1] ? weightOf(same, before, now, wrote ? 'bland' : tone) : same && now[4] !== '' && before[4] === now[4] ? SAME_WORDS : 0
  return weight === 0 ? 0 : weight * FADING ** (now[5] - before[5])
}

function weightOf(same: boolean, before: Heard, now: Heard, tone: Answered['tone']): number {
  if (same) return tone === 'unseen' ? UNSEEN : tone === 'later' ? LATER : 1
  if (tone === 'unseen' || (now[2] === '' && now[3] === '')) return 0
  const alike = Math.min(NEARLY, likeness(before[2], now[2])) * (before[3] === now[3] ? 1 : OTHER_NUMBERS)
  if (alike < ALIKE) return 0
  return alike * (tone === 'bland' ? BLAND : tone === 'nothing' ? NOTHING_FOUND : tone === 'later' ? LATER : 1)
}

function found({ subject, tone }: Answered, heard: readonly Heard[], evidence: number): Sketch {
  const signs = [...new Set(heard.map(([sign]) => sign))]
  const answers = new Set(heard.map(([, answer]) => answer)).size
  const how = signs.length === 1 ? 'the same arguments' : 'much the same arguments'
  const came = answers > 1 ? 'and the same words' : tone === 'unseen' ? 'and what came of it is not known' : 'and nothing new came of it'
  return {
    kind: 'loop',
    detector: 'repetition',
    // The name by which `sequence` knows it, too; of calls that differ, what they have in common is their answer.
    id: signs.length === 1 ? cycleKey(signs) : `repetition ${heard.at(-1)?.[1]}`,
    members: [subject],
    signs,
    period: 1,
    repeats: heard.length,
    onset: heard[0]?.[7] ?? 0,
    events: heard.map(item => item[7]),
    sure: sureOf(evidence),
    summary: `${subject} was called ${heard.length} times with ${how}, ${came}`,
  }
}
