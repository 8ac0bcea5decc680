/**
 * One lap of a map: the children of its items as one answer.
 *
 * Intuition: a map is one call with many answers. Laps of a loop repeat all of them, each at its place.
 * Hard case: sixty-four items that all answer the same are one lap, and so are those of a second map. An answer that only
 * changes its place, or is missing because fewer items are left, is another lap.
 * Rejected: each item as a call of its own. The items of one healthy map would repeat each other, and fill the memory of the detectors.
 */
import type { Item } from '../event/event.ts'
import type { FailureClass } from '../failure/failure.ts'
import { defined, hash, hashNumber } from '../data/json.ts'
import type { AnsweredObservation } from './observed.ts'
import type { RequestFeatures } from './request-features.ts'
import { mergeHashes, oneHash } from '../text/similarity.ts'

/** The items that have ended so far. Sums do not depend on the order in which they end. */
export interface MapLap {
  readonly effect: string
  /** The graph of the items. */
  readonly subject: string
  readonly ended: number
  /** The items that count: those that the map itself has cancelled do not. */
  readonly counted: number
  readonly keys: number
  readonly answers: number
  readonly words: string
  readonly numbers: number
  /** An item succeeded; one of these answers is long; one quotes its question; one wrote. */
  readonly ok: boolean
  readonly long: boolean
  readonly quotes: boolean
  readonly wrote: boolean
  /** Of the first item that failed. */
  readonly class?: FailureClass
  readonly message?: string
}

const FRESH: Omit<MapLap, 'effect' | 'subject'> = {
  ...{ ended: 0, counted: 0, keys: 0, answers: 0, words: '', numbers: 0 },
  ...{ ok: false, long: false, quotes: false, wrote: false },
}

type ItemOf = Readonly<{ effect: string; subject: string; item: Item }>

/** The lap after an item has ended; `answer` is absent if the map has cancelled it. What an abandoned map left does not count. */
export function addItem(
  before: MapLap | undefined,
  { effect, subject, item: { index } }: ItemOf,
  answer: AnsweredObservation | undefined,
): MapLap {
  const lap = before?.effect === effect ? before : { effect, subject, ...FRESH }
  const ended = lap.ended + 1
  if (!answer) return { ...lap, ended }
  const { key, answerHash, ok, tone, request, quotes, wrote } = answer
  const first = !ok && lap.message === undefined
  return {
    ...lap,
    ended,
    counted: lap.counted + 1,
    keys: sum(lap.keys, `${index} ${key}`),
    answers: sum(lap.answers, `${index} ${answerHash}`),
    words: mergeHashes(lap.words, request?.words ?? ''),
    numbers: request?.numbers ? sum(lap.numbers, `${index} ${request.numbers}`) : lap.numbers,
    ok: lap.ok || ok,
    long: lap.long || (ok && tone === 'plain'),
    quotes: lap.quotes || quotes === true,
    wrote: lap.wrote || wrote === true,
    ...(first && defined({ class: answer.class, message: answer.message ?? '' })),
  }
}

/** A sum below this is exact in any order. */
const SUM_MAX = 2 ** 52

const sum = (of: number, text: string): number => (of + (hashNumber(text) % SUM_MAX)) % SUM_MAX

/** What a lap is to the detectors: the result of a child, or its failure if no item succeeded. */
export function answerOf(lap: MapLap) {
  const { ok, long, quotes, wrote, words, numbers, keys, answers, message } = lap
  const request: RequestFeatures = {
    key: hash(`map ${keys}`),
    words,
    numbers: numbers === 0 ? '' : oneHash(numbers),
    aim: 'other',
  }
  const answer = {
    answerHash: hash(`map ${answers}`),
    tone: long || !ok ? ('plain' as const) : ('brief' as const),
    failed: !ok,
    ok,
    ...(quotes && { quotes: true as const }),
    ...(wrote && { wrote: true as const }),
    ...(!ok && defined({ class: lap.class, message })),
  }
  return { request, answer }
}
