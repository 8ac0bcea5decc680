/** What a person judges when a question is answered. */
import type { Interrupt } from '../core/effects.ts'
import type { AgentMachine } from '../core/graph/agent-machine.ts'
import { kindOf } from '../core/review/answers.ts'
import type { Run } from '../core/run.ts'
import type { Json } from '../core/watch/data/json.ts'

/** The channels that the asking node names with `in`, or the arguments of the proposed call, if the question does not tell them. */
export function judgedBy(
  machine: AgentMachine,
  { snapshot }: Run,
  asked: Interrupt,
): Readonly<Record<string, Json>> | undefined {
  // A copy: a view reads the lists of append channels on access.
  if (kindOf(asked) === 'node') return filled({ ...machine.judgedIn(asked.node, snapshot.context) })
  const { question, proposed } = asked.call ?? {}
  return question === undefined || proposed === undefined ? undefined : { arguments: proposed }
}

const filled = (judged: Readonly<Record<string, Json>>) =>
  Object.keys(judged).length > 0 ? judged : undefined
