/** The conversation of a run, as its models and tools had it. */
import type { Row } from '../../../src/core/run/run.ts'
import type { Usage } from '../../../src/core/watch/event/call-event.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'

export interface Message {
  readonly seq: number
  readonly from: 'input' | 'model' | 'tool' | 'person' | 'watchdog'
  readonly name: string
  readonly text: string
  readonly reasoning?: string
  readonly calls: readonly { readonly tool: string; readonly args: Json }[]
  readonly usage?: Usage
  readonly failed?: string
}

/** Collects the messages of rows, oldest first. Failed attempts that were repeated are left out. */
export class Messages {
  readonly all: Message[] = []

  take(row: Row): void {
    const message = messageOf(row)
    if (message) this.all.push(message)
  }
}

function messageOf({ seq, event }: Row): Message | undefined {
  const base = { seq, calls: [] }
  switch (event.type) {
    case 'thread.started':
    case 'message':
      return { ...base, from: 'input', name: 'input', text: textOf(event.input) }
    case 'model.done': {
      const { text, reasoning, calls, usage, subject } = event
      const thought = reasoning === undefined ? {} : { reasoning }
      return { seq, from: 'model', name: subject, text, calls, usage, ...thought }
    }
    case 'tool.done':
      return { ...base, from: 'tool', name: event.subject, text: textOf(event.result) }
    case 'tool.failed':
    case 'model.failed':
    case 'circuit.refused': {
      if (event.type !== 'circuit.refused' && !event.final) return undefined
      const { subject, failure } = event
      return { ...base, from: 'tool', name: subject, text: failure.message, failed: failure.class }
    }
    case 'resume': {
      const note = event.note === undefined ? '' : `: ${event.note}`
      return { ...base, from: 'person', name: event.effect, text: `${event.decision}${note}` }
    }
    default:
      return undefined
  }
}

const textOf = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1)
