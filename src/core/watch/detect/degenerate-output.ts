/** Degenerate output: a model that says the same few words over and over inside one answer, until its tokens run out. */
import type { OptionsOf } from '../policy/detect-keys.ts'
import type { Reason } from '../reason/reason.ts'
import type { FindingDraft } from '../event/finding.ts'
import { hash } from '../data/signature.ts'
import { confidenceOf } from '../data/confidence.ts'

/** The same chunk `repeats` times in a row, and at least `length` characters of it. */
export type DegenerateOutputOptions = OptionsOf<'degenerateOutput'>

/** An answer as far as it has been heard. Plain JSON, of bounded size. */
export interface OutputScan {
  /** The latest characters. */
  readonly tail: string
  /** Characters heard in all. */
  readonly heard: number
  /** How far back the text repeats itself, and for how many characters it has; 0: it does not. */
  readonly period: number
  readonly matched: number
  /** Inside a block of code, where repetition is the author's. */
  readonly fenced: boolean
}

export const OUTPUT_SCAN: OutputScan = { tail: '', heard: 0, period: 0, matched: 0, fenced: false }

export interface RepeatedChunk {
  readonly chunk: string
  readonly repeats: number
  /** Characters of the answer when it was noticed. */
  readonly heard: number
}

/** Chunks longer than this are paragraphs, whose repetition `repeatedText` finds. */
const PERIOD_MAX = 512
const TAIL_MAX = 2 * PERIOD_MAX
/** So many characters that have been there before are taken for the beginning of a repetition, and looked for at every so many. */
const SEED = 8
const PROBE = 128

/** Lists, tables, quotes, code and data repeat themselves for good reasons: they get so many times the patience. */
const LISTED = /^[^\S\n]*([-*+#]|\d+[.)])\s/m
const SIGNS = /[{}[\]|;<>=]/g
/** A sign in so many characters makes no prose of it: one in a sentence may stand there by the way. */
const SIGN_EVERY = 24
const PATIENCE = 8
/** Rows of dashes and blanks are no words. */
const WORD = /\p{L}{2}/u
const FENCE = '```'

/**
 * Intuition: a record with a scratch plays the same groove; one hears it by laying what comes over what came one groove ago.
 *
 * One candidate period at a time: while each character equals the one a period ago the run grows, and where none does, now
 * and then the nearest earlier occurrence of the latest characters names a candidate. O(1) a character, any period up to 512.
 * Rejected: hashing every window of 50 characters, which costs a hash a character and mistakes lists with one beginning for
 * chants; and forgetting all at each bracket or quote, which an unbalanced one blinds for good.
 */
export function scanChunk(
  scan: OutputScan,
  delta: string,
  options: DegenerateOutputOptions,
): readonly [OutputScan, RepeatedChunk | undefined] {
  const text = scan.tail + delta
  const offset = scan.heard - scan.tail.length
  let { period, matched, fenced } = scan
  let found: RepeatedChunk | undefined
  let at = scan.tail.length
  let fence = fenceAfter(text, Math.max(0, at - 2))
  while (at < text.length) {
    if (at === fence) {
      fenced = !fenced
      period = 0
      fence = fenceAfter(text, at + 1)
    }
    const sinceProbe = (offset + at) % PROBE
    if (period === 0 && sinceProbe !== 0) {
      // Nothing repeats: on to the next place worth a look.
      at = Math.min(at + PROBE - sinceProbe, fence)
      continue
    }
    if (period > 0 && text.charCodeAt(at) === text.charCodeAt(at - period)) matched++
    else ({ period, matched } = sinceProbe === 0 ? startMatch(text, at) : NO_MATCH)
    if (period > 0 && !fenced)
      found ??= repeatedChunkAt({ text, at, period, matched, heard: offset + at + 1 }, options)
    at++
  }
  const heard = scan.heard + delta.length
  return [{ tail: text.slice(-TAIL_MAX), heard, period, matched, fenced }, found]
}

/** How far back the text repeats itself, and for how many characters it has. */
type Match = Pick<OutputScan, 'period' | 'matched'>

const NO_MATCH: Match = { period: 0, matched: 0 }

/** The last character of the next fence, or beyond the end. */
function fenceAfter(text: string, from: number): number {
  const at = text.indexOf(FENCE, from)
  return at < 0 ? Number.POSITIVE_INFINITY : at + FENCE.length - 1
}

/** Where the latest characters have stood before, most recently, and for how long what came before them has repeated itself, too, as far as a stream remembers. */
function startMatch(text: string, at: number): Match {
  if (at < 2 * SEED) return NO_MATCH
  const recent = text.slice(Math.max(0, at + 1 - SEED - PERIOD_MAX), at)
  const seed = text.slice(at + 1 - SEED, at + 1)
  // Mostly there is nothing, and looking forward tells so in two thirds of the time.
  const before = recent.includes(seed) ? recent.lastIndexOf(seed) : -1
  if (before < 0) return NO_MATCH
  const period = recent.length + 1 - SEED - before
  let matched = SEED
  const least = Math.max(0, at - TAIL_MAX)
  while (
    at - matched - period >= least &&
    text.charCodeAt(at - matched) === text.charCodeAt(at - matched - period)
  )
    matched++
  return { period, matched }
}

interface Repetition extends Match {
  readonly text: string
  readonly at: number
  readonly heard: number
}

function repeatedChunkAt(
  { text, at, period, matched, heard }: Repetition,
  { repeats, length }: DegenerateOutputOptions,
): RepeatedChunk | undefined {
  const whole = matched + period
  // At the end of a lap: one look at the words of a lap, then, and not at each of its characters.
  if (matched < (repeats - 1) * period || whole < length || whole % period !== 0) return undefined
  const chunk = text.slice(at + 1 - period, at + 1)
  if (!WORD.test(chunk + chunk)) return undefined
  const laps = whole / period
  // A short period may be a part of a line: the lines it stands in tell what it is.
  const patient = isStructured(text.slice(Math.max(0, at + 1 - 2 * period), at + 1))
  return patient && (laps < PATIENCE * repeats || whole < PATIENCE * length)
    ? undefined
    : { chunk, repeats: laps, heard }
}

function isStructured(lines: string): boolean {
  return LISTED.test(lines) || (lines.match(SIGNS)?.length ?? 0) * SIGN_EVERY >= lines.length
}

/** A whole text at once. */
export function findRepeatedChunk(
  text: string,
  options: DegenerateOutputOptions,
): RepeatedChunk | undefined {
  return text.length < options.length ? undefined : scanChunk(OUTPUT_SCAN, text, options)[1]
}

export function degenerateDraft(
  { chunk, repeats, heard }: RepeatedChunk,
  by: string,
  seq: number,
): FindingDraft {
  return {
    kind: 'degenerateOutput',
    detector: 'degenerateOutput',
    id: `degenerateOutput ${hash(chunk)}`,
    members: [by],
    period: 1,
    repeats,
    onset: seq,
    events: [seq],
    confidence: confidenceOf(repeats / 2),
    reason: degenerateReason({ chunk, repeats, heard }, by),
  }
}

export function degenerateReason(
  { chunk, repeats, heard }: RepeatedChunk,
  speaker: string,
): Reason<'degenerate-output'> {
  const text = chunk.slice(0, 60)
  return {
    code: 'degenerate-output',
    params: { speaker, times: repeats, characters: heard, text },
  }
}
