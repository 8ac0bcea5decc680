/**
 * What a call runs after a pause: `sleep 60 && gh run view 7` is `gh run view 7`.
 *
 * Intuition: how long an agent waits before it looks is not a part of what it asks.
 * Hard case: the same answer after each pause may be that of a job in progress, therefore it proves less.
 * Rejected: a pause after a command, which says what the answer is not waiting for.
 */
import { isMap, type Json } from '../data/json.ts'

const PAUSE = /^\s*(?:sleep\s+[\d.]+[smhd]?\s*(?:&&|;|\n)\s*)+(?=\S)/

/** The arguments without the pause with which the first of them begins; `undefined` for any other call. */
export function afterPause(args: Json): Json | undefined {
  if (typeof args === 'string') return PAUSE.test(args) ? args.replace(PAUSE, '') : undefined
  const [first] = isMap(args) ? Object.entries(args) : []
  const rest = typeof first?.[1] === 'string' ? afterPause(first[1]) : undefined
  return first === undefined || rest === undefined
    ? undefined
    : { ...(args as object), [first[0]]: rest }
}
