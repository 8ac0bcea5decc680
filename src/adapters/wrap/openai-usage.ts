/** What the calls of the model have used, told from the total that the SDK keeps for each run. */
import type { RunContext } from '@openai/agents'
import type { Turn } from '../../core/watch/wrapped/turn.ts'

type Used = NonNullable<Turn['usage']>

/** The SDK goes on counting in it. */
type Total = RunContext<unknown>['usage']

const NONE: Used = { input: 0, output: 0 }

export class Meter {
  #latest: Total | undefined
  #total: Total | undefined
  #counted = NONE

  /** Tools are asked whether they are enabled before each call of the model: whoever is asked last before the call belongs to its run. */
  readonly sees = ({ usage }: RunContext<unknown>): void => {
    this.#latest = usage
  }

  /** The run to which the next call of the model belongs; `undefined` where no tool tells of it. */
  get run(): unknown {
    return this.#latest
  }

  /** What has been used since it was last asked; of a run that has ended, its last call included. `undefined` where no tool tells of it. */
  since(): Used | undefined {
    if (this.#latest === undefined) return undefined
    const before = this.#total === this.#latest ? NONE : less(amounts(this.#total), this.#counted)
    if (this.#total !== this.#latest) this.#counted = NONE
    this.#total = this.#latest
    const now = amounts(this.#total)
    const used = less(now, this.#counted)
    this.#counted = now
    return { input: before.input + used.input, output: before.output + used.output }
  }
}

function amounts(total: Total | undefined): Used {
  return total ? { input: total.inputTokens, output: total.outputTokens } : NONE
}

function less(one: Used, other: Used): Used {
  return { input: one.input - other.input, output: one.output - other.output }
}

/** Whose turn it is: an agent, in one of its runs, which is told from others by the total of what it uses. */
export interface Speaker {
  readonly name: string
  readonly run: unknown
}

/** What is known of an agent, whichever its types are. */
export interface Ending {
  readonly name: string
  on(type: 'agent_end', listener: (context: RunContext<unknown>, output: string) => void): unknown
}

/** Each agent is to be shown once at least. */
export function onEnd(ended: (speaker: Speaker, output: string) => void): (agent: Ending) => void {
  const heard = new WeakSet<object>()
  return agent => {
    if (heard.has(agent)) return
    heard.add(agent)
    agent.on('agent_end', ({ usage }, output) => ended({ name: agent.name, run: usage }, output))
  }
}
