/** Hears from the SDK that an agent has ended a run: what it has said last stands in no history that anybody is shown. */
import type { RunContext } from '@openai/agents'

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
