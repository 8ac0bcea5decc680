/** Results of reads that may answer the same request again: `cache` of a tool. */
import { canonical, type Json } from '../../core/watch/data/json.ts'
import { answerFeatures } from '../../core/watch/normalize/answer-features.ts'
import { progressPart } from '../../core/watch/answer/result-text.ts'
import type { Clock, Tool } from '../ports.ts'

/** A request to a tool. `clock`: that of its thread. */
interface Request {
  readonly tool: Tool
  readonly args: Json
  readonly clock: Clock
}

/** `until`: in ms since the epoch. */
type Kept = Readonly<{ result: Json; until: number }>

/** A tool keeps this many results; then the oldest one is dropped. */
const RESULTS_MAX = 1_000

type Results = Map<string, Kept>

/** The results live as long as their tool: the threads of a bound graph share them. */
const results = new WeakMap<Tool, Results>()
/** Threads on virtual time share only with one another: their times mean nothing to other threads. */
const virtualResults = new WeakMap<Tool, Results>()

const resultsOn = ({ virtual }: Clock) => (virtual ? virtualResults : results)

/** The result of an earlier call with these arguments, if it may still be used. */
export function keptResult({ tool, args, clock }: Request): { readonly result: Json } | undefined {
  const kept = resultsOn(clock).get(tool)?.get(canonical(args))
  return kept && clock.now() < kept.until ? kept : undefined
}

/** Keeps a result for later calls if the tool has a cache. A result that reports a failure is not kept: the next call may succeed. */
export function keepResult({ tool, args, clock }: Request, result: Json): void {
  if (tool.cache === undefined || reportsFailure(result)) return
  const kept: Results = resultsOn(clock).get(tool) ?? new Map()
  resultsOn(clock).set(tool, kept)
  const key = canonical(args)
  kept.delete(key)
  kept.set(key, { result, until: clock.now() + tool.cache })
  const [oldest] = kept.keys()
  if (kept.size > RESULTS_MAX && oldest !== undefined) kept.delete(oldest)
}

function reportsFailure(result: Json): boolean {
  const part = progressPart(result, { whole: true, progress: undefined })
  return answerFeatures({ ...part, ok: true, hash: '' }, undefined).failed
}
