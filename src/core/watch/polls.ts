/** When tools with `poll.every` last answered a call: the same call is not made again before that time has passed. */
import { shortHash } from './data/json.ts'
import type { Stamped } from './event/event.ts'
import type { DetectPolicy, Policy } from './policy/policy.ts'

/** The times (ms) of the latest answers, by call. */
export type Polls = Readonly<Record<string, number>>

const POLLS_MAX = 16

export function pollsAfter(polls: Polls | undefined, event: Stamped, { detect }: Policy) {
  if (event.type !== 'tool.done' || intervalOf(detect, event.subject) === 0) return polls
  const call = nameOf(event.subject, event.key)
  const others = Object.entries(polls ?? {}).filter(([other]) => other !== call)
  return Object.fromEntries([...others, [call, event.at] as const].slice(-POLLS_MAX))
}

/** The earliest time (ms) of the same call. */
export function pollDue(
  polls: Polls = {},
  { mode, detect }: Policy,
  { subject, key }: { readonly subject: string; readonly key: string },
): number {
  if (mode === 'observe') return 0
  return (polls[nameOf(subject, key)] ?? 0) + intervalOf(detect, subject)
}

function intervalOf({ tools }: DetectPolicy, tool: string): number {
  const poll = Object.hasOwn(tools, tool) ? tools[tool]?.poll : undefined
  return (typeof poll === 'object' && poll.every) || 0
}

function nameOf(subject: string, key: string): string {
  return shortHash(`${subject} ${key}`)
}
