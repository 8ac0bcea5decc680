/** Writes that failed for good and may have taken effect. The next identical call repeats them: it has their key. */
import type { AgentEvent } from '../watch/event/event.ts'
import { remember } from '../watch/data/json.ts'

/** `key`: the identity of the tool and of the arguments that it received. */
export type DoubtfulWrite = Readonly<{ call: string; tool: string; key: string }>

/** `key` may be that of other arguments than those `received`. */
type MadeWrite = DoubtfulWrite & { readonly received?: string }

/** Older ones are forgotten. */
const WRITES_MAX = 64

export type DoubtfulWrites = readonly DoubtfulWrite[]

/** The writes after an event: one that failed without proof is added, and one that is made goes. */
export function doubtfulAfter(writes: DoubtfulWrites = [], event: AgentEvent): DoubtfulWrites {
  if (event.type === 'tool.failed' && event.failure.unproven && !event.compensates)
    return withDoubtful(writes, { call: event.call, tool: event.subject, key: identityOf(event) })
  // A late answer does not: another call may be on its way under this key.
  if (event.type !== 'tool.done' || writes.length === 0) return writes
  const identity = identityOf(event)
  const rest = writes.filter(({ tool, key }) => tool !== event.subject || key !== identity)
  return rest.length === writes.length ? writes : rest
}

/** The first of identical writes gives its key to the others. */
export function withDoubtful(writes: DoubtfulWrites = [], made: MadeWrite): DoubtfulWrites {
  const write = made.received === undefined ? made : { ...made, key: identityOf(made) }
  return writes.some(({ tool, key }) => tool === write.tool && key === write.key)
    ? writes
    : remember(writes, write, WRITES_MAX)
}

/** The identity of a call by what its tool received. Two requests may differ and bring the same, by defaults or by the edit of a person. */
export const identityOf = ({ key, received = key }: Pick<MadeWrite, 'key' | 'received'>): string =>
  received

/** The write that a call of this identity repeats. `tool` may be a substitute of the called tool. */
export const repeatedWrite = (
  writes: DoubtfulWrites = [],
  identity: string,
): DoubtfulWrite | undefined => writes.find(({ key }) => key === identity)
