/** Results of reads that may answer the same request again: `cache` of a tool. */
import { canonical, type Json } from '../../core/watch/data/json.ts'
import type { Tool } from '../ports.ts'

/** `until`: in ms since the epoch. */
type Kept = Readonly<{ result: Json; until: number }>

/** A tool keeps this many results; then the oldest one is dropped. */
const RESULTS_MAX = 1_000

/** The results live as long as their tool: the threads of a bound graph share them. */
const results = new WeakMap<Tool, Map<string, Kept>>()

/** The result of an earlier call with these arguments, if it may still be used at this time. */
export function keptResult(
  tool: Tool,
  args: Json,
  at: number,
): { readonly result: Json } | undefined {
  const kept = results.get(tool)?.get(canonical(args))
  return kept && at < kept.until ? kept : undefined
}

/** Keeps a result for later calls if the tool has a cache. */
export function keepResult(
  tool: Tool,
  args: Json,
  { result, at }: { result: Json; at: number },
): void {
  if (tool.cache === undefined) return
  const kept = results.get(tool) ?? new Map<string, Kept>()
  results.set(tool, kept)
  const key = canonical(args)
  kept.delete(key)
  kept.set(key, { result, until: at + tool.cache })
  const [oldest] = kept.keys()
  if (kept.size > RESULTS_MAX && oldest !== undefined) kept.delete(oldest)
}
