/** What a person judges when a question is answered. */
import type { Interrupt } from '../run/effects.ts'
import type { AgentMachine } from '../graph/agent-machine.ts'
import type { Run } from '../run/run.ts'
import { defined, type Json } from '../watch/data/json.ts'
import { kindOf } from './answers.ts'

type Judged = Readonly<Record<string, Json>>

/** The channels that the asking node names with `in`, or the call that the question is about. */
export function judgedBy(
  machine: AgentMachine,
  { snapshot }: Run,
  asked: Interrupt,
): Judged | undefined {
  if (kindOf(asked) !== 'node') return judgedCall(asked)
  // A copy: a view reads the lists of append channels on access.
  const judged = { ...machine.judgedIn(asked.node, snapshot.context) }
  return Object.keys(judged).length > 0 ? judged : undefined
}

/** The tool and the arguments of the call, if the question does not tell them. Those of a call of a child are unknown. */
export function judgedCall({ call }: Interrupt): Readonly<Record<string, string>> | undefined {
  if (!call) return undefined
  const { tool, proposed, question, made } = call
  if (proposed === undefined) return { tool, ...defined({ arguments: made }) }
  return question === undefined ? undefined : { tool, arguments: proposed }
}
