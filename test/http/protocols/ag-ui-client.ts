/** The client of AG-UI, and what a run of it received. */
import { type BaseEvent, HttpAgent, type Interrupt, type Message } from '@ag-ui/client'

type Event = BaseEvent & Readonly<Record<string, unknown>>

export interface Run {
  readonly events: readonly Event[]
  readonly messages: readonly Message[]
  readonly interrupts: readonly Interrupt[]
  readonly error: string | undefined
}

export const user = (content: string, id = content) => ({ id, role: 'user', content }) as const

export function agentOf(url: string, messages: Message[] = [], key = 'key-operate'): HttpAgent {
  const headers = { authorization: `Bearer ${key}` }
  return new HttpAgent({ url: `${url}/ag-ui`, headers, threadId: 'one', initialMessages: messages })
}

export async function run(agent: HttpAgent, resume?: object[]): Promise<Run> {
  const events: Event[] = []
  let error: string | undefined
  await agent
    .runAgent(resume ? { resume: resume as never } : {}, {
      onEvent: ({ event }) => void events.push(event as Event),
    })
    .catch((failure: Error) => {
      error = failure.message
    })
  return { events, messages: agent.messages, interrupts: agent.pendingInterrupts, error }
}
