/** The names of LangGraph nodes: those of the states, where LangGraph allows them. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'

/** LangGraph joins the names of nodes with these characters. */
const RESERVED = /[|:]/

/** A state has a name that LangGraph reserves. */
export class UnfitName extends codedError('UnfitName', 'unfit-name') {}

/** Whether an error is an `UnfitName`. */
export const isUnfitName = guardOf(UnfitName)

export interface NodeNames {
  /** The node that takes an input. */
  readonly begin: string
  /** The nodes of the states. */
  readonly of: ReadonlyMap<string, string>
}

/**
 * A name that LangGraph needs for a channel gets the suffix ` (node)`.
 * @throws UnfitName
 */
export function nodeNames(states: readonly string[], channels: readonly string[]): NodeNames {
  const unfit = states.find(state => RESERVED.test(state) || state.startsWith('__'))
  if (unfit !== undefined)
    throw new UnfitName(
      `state '${unfit}': LangGraph reserves names with '|', ':' or a leading '__'; rename the state`,
    )
  const taken = new Set([...channels, 'begin'])
  const name = (state: string) => (taken.has(state) ? `${state} (node)` : state)
  return { begin: 'begin', of: new Map(states.map(state => [state, name(state)])) }
}
