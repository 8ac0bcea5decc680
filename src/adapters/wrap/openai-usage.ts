/** The token usage of model calls, derived from the total that the SDK keeps for each run. */
import type { RunContext } from '@openai/agents'
import type { Turn } from '../../core/watch/wrapped/turn.ts'

type Usage = NonNullable<Turn['usage']>

/** The SDK updates this object during the run. */
type Total = RunContext<unknown>['usage']

export class UsageMeter {
  #latest: Total | undefined
  #total: Total | undefined
  #counted: Usage = { input: 0, output: 0 }

  /** The SDK calls `isEnabled` of the tools before each model call: the last context before the call belongs to its run. */
  follow({ usage }: RunContext<unknown>): void {
    this.#latest = usage
  }

  /** The run of the next model call. `undefined` without a tool. */
  get run(): unknown {
    return this.#latest
  }

  /** The usage since the last reading, including the last call of a run that has ended. `undefined` without a tool. */
  read(): Usage | undefined {
    if (this.#latest === undefined) return undefined
    const before = this.#advance()
    if (this.#total === this.#latest) return before
    this.#total = this.#latest
    this.#counted = { input: 0, output: 0 }
    const used = this.#advance()
    return { input: before.input + used.input, output: before.output + used.output }
  }

  #advance(): Usage {
    const { input, output } = this.#counted
    const { inputTokens = 0, outputTokens = 0 } = this.#total ?? {}
    this.#counted = { input: inputTokens, output: outputTokens }
    return { input: inputTokens - input, output: outputTokens - output }
  }
}

/** An agent in one of its runs. The usage object identifies the run. */
export interface Speaker {
  readonly name: string
  readonly run: unknown
}

/** The part of an agent that does not depend on its type parameters. */
export interface AgentEvents {
  readonly name: string
  on(type: 'agent_end', listener: (context: RunContext<unknown>, output: string) => void): unknown
}

/** Returns a function that subscribes to each agent once. */
export function onAgentEnd(
  ended: (speaker: Speaker, output: string) => void,
): (agent: AgentEvents) => void {
  const known = new WeakSet<object>()
  return agent => {
    if (known.has(agent)) return
    known.add(agent)
    agent.on('agent_end', ({ usage }, output) => ended({ name: agent.name, run: usage }, output))
  }
}
