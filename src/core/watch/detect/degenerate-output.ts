/** Degenerate output: a model repeats the same few words inside one answer until its tokens run out. */
import type { OptionsOf } from '../policy/detect-keys.ts'
import { type FindingDraft, findingDraft } from '../event/event.ts'
import { hash } from '../data/json.ts'
import { confidenceOf } from './detector.ts'
import { isListed, isListInJson } from './list-items.ts'

/** The same chunk `repeats` times in a row, with at least `length` characters in total. */
export type DegenerateOutputOptions = OptionsOf<'degenerateOutput'>

/** The scan of an answer so far: plain JSON of bounded size. */
export interface OutputScan extends Match {
  /** The latest characters. */
  readonly tail: string
  /** Characters received in total. */
  readonly characters: number
  /** Inside a code block, where repetition is likely intended. */
  readonly fenced: boolean
}

/** The period with which the text repeats itself, 0 if it does not, and the number of characters that match. */
type Match = Readonly<{ period: number; matched: number }>

const NO_MATCH: Match = { period: 0, matched: 0 }
export const OUTPUT_SCAN: OutputScan = { ...NO_MATCH, tail: '', characters: 0, fenced: false }

/** `characters`: the length of the answer at the time of the finding. */
export type RepeatedChunk = Readonly<{ chunk: string; repeats: number; characters: number }>

/** Longer chunks are paragraphs. `repeatedText` finds their repetition. */
const PERIOD_MAX = 512
const TAIL_MAX = 2 * PERIOD_MAX
/** The length of an earlier occurrence that may begin a repetition, and the distance between two searches for one. */
const SEED = 8
const PROBE = 128

/** Lists, tables, quotes, code and data repeat themselves for good reasons: their limits are this many times higher. */
const PATIENCE = 8
/** Rulers, blanks, drawings and blocks of code repeat themselves even longer. */
const PATIENCE_MAX = 64
/** How many times higher the limits of laps and of characters are. */
type Patience = readonly [laps: number, characters: number]
const PROSE: Patience = [1, 1]
const STRUCTURED: Patience = [PATIENCE, PATIENCE]
const DRAWN: Patience = [PATIENCE_MAX, PATIENCE_MAX]
/** A batch of hundreds of short answers may be the same label over and over. */
const ITEMS: Patience = [PATIENCE, PATIENCE_MAX]
const LISTED = /^[^\S\n]*([-*+#]|\d+[.)])\s/m
const SIGNS = /[{}[\]|;<>=]/g
/** Without those of faces, glad or sad. */
const OPENED = /(?<!:['’-]?)\((?![:;]?\s)/g
const CLOSED = /\)/g
/** The end of a sentence. Code has names such as `null?`, and pairs such as `(1 . 2)`. */
const SENTENCE = /\S(?:\.\s|[!?]\s+\p{Lu})/u
/** Text with a sign in this many characters is not prose. */
const SIGN_EVERY = 24
/** Rows of dashes and blanks have no words. A row of brackets is broken data. */
const WORD = /\p{L}{2}/u
const BRACKET = /[{}[\]()<>]/
const FENCE = '```'

/**
 * Intuition: shift the answer by one chunk and compare it with itself. Repeated text matches for many chunks.
 *
 * The scan follows one period at a time. While each character equals the one a period earlier, the match grows. Otherwise, the
 * nearest earlier occurrence of the latest characters now and then gives a new period. This costs O(1) per character.
 *
 * Hard cases: lists whose items begin alike, tables, code and data, rulers and drawings. They need more laps. A list of labels, or of
 * equal lines, may be the answer to a batch of questions, therefore it may be long. Rejected: hashing every window of 50 characters, which costs a
 * hash per character and reports such lists; and resetting at each bracket or quote, which an unbalanced one defeats.
 */
export function scanChunk(scan: OutputScan, delta: string, options: DegenerateOutputOptions) {
  const text = scan.tail + delta
  const offset = scan.characters - scan.tail.length
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
      at = Math.min(at + PROBE - sinceProbe, fence)
      continue
    }
    if (period > 0 && text.charCodeAt(at) === text.charCodeAt(at - period)) matched++
    else ({ period, matched } = sinceProbe === 0 ? startMatch(text, at) : NO_MATCH)
    at++
    if (period > 0)
      found ??= repeatedChunkAt({ text, end: at, period, matched, offset, fenced }, options)
  }
  const characters = scan.characters + delta.length
  return [{ tail: text.slice(-TAIL_MAX), characters, period, matched, fenced }, found] as const
}

/** The index of the last character of the next fence. */
function fenceAfter(text: string, from: number): number {
  const at = text.indexOf(FENCE, from)
  return at < 0 ? Number.POSITIVE_INFINITY : at + FENCE.length - 1
}

/** The distance to the latest earlier occurrence of the latest characters, and how far the match reaches back. */
function startMatch(text: string, at: number): Match {
  if (at < 2 * SEED) return NO_MATCH
  const recent = text.slice(Math.max(0, at + 1 - SEED - PERIOD_MAX), at)
  const seed = text.slice(at + 1 - SEED, at + 1)
  // Most searches fail, and `includes` takes two thirds of the time of `lastIndexOf`.
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

interface Candidate extends Match, Pick<OutputScan, 'fenced'> {
  readonly text: string
  readonly end: number
  readonly offset: number
}

function repeatedChunkAt(of: Candidate, options: DegenerateOutputOptions) {
  const { text, end, period, matched, offset, fenced } = of
  const { repeats, length } = options
  const whole = matched + period
  // Only the end of a lap is worth the checks below.
  if (matched < (repeats - 1) * period || whole < length || whole % period !== 0) return undefined
  const chunk = text.slice(end - period, end)
  const laps = whole / period
  // A short period may be a part of a line, therefore the check reads two.
  const [times, longer] = fenced
    ? DRAWN
    : patienceOf(chunk, text.slice(Math.max(0, end - 2 * period), end))
  if (laps < times * repeats || whole < longer * length) return undefined
  return { chunk, repeats: laps, characters: offset + end }
}

function patienceOf(chunk: string, lines: string): Patience {
  const twice = chunk + chunk
  if (!WORD.test(twice)) return BRACKET.test(chunk) ? STRUCTURED : DRAWN
  if (isListed(chunk) || isListInJson(twice)) return ITEMS
  return isStructured(lines) ? STRUCTURED : PROSE
}

const isStructured = (lines: string): boolean =>
  LISTED.test(lines) || isNested(lines) || countOf(lines, SIGNS) * SIGN_EVERY >= lines.length

/** Code that nests, such as `(cons 1 (cons 1 `. Prose has few brackets, and closes most of them. */
function isNested(lines: string): boolean {
  const opened = countOf(lines, OPENED)
  const isDense = opened * SIGN_EVERY >= lines.length
  return isDense && opened > countOf(lines, CLOSED) && !SENTENCE.test(lines)
}

const countOf = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0

/** Scans a complete text. */
export const findRepeatedChunk = (text: string, options: DegenerateOutputOptions) =>
  text.length < options.length ? undefined : scanChunk(OUTPUT_SCAN, text, options)[1]

export function degenerateDraft(found: RepeatedChunk, by: string, seq: number): FindingDraft {
  const { chunk, repeats } = found
  const seen = { members: [by], repeats, events: [seq], confidence: confidenceOf(repeats / 2) }
  const [id, reason] = [`degenerateOutput ${hash(chunk)}`, degenerateReason(found, by)]
  return findingDraft('degenerateOutput', 'degenerateOutput', { id, ...seen, reason })
}

export function degenerateReason(found: RepeatedChunk, speaker: string) {
  const { chunk, repeats: times, characters } = found
  const text = chunk.slice(0, 60)
  return { code: 'degenerate-output', params: { speaker, times, characters, text } } as const
}
