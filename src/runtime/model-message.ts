/** What a model is told, what it replies, and what a node gets of the reply. */
import type { Usage } from '../core/watch/event/spent.ts'
import type { ToolRequest } from '../core/watch/event/call-event.ts'

/** What a model is told, and has said. */
export type Message =
  | { readonly role: 'user'; readonly content: string }
  /** `answer`: the call of the model that gave it, as the journal names it. */
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly calls: readonly ToolRequest[]
      readonly answer?: string
    }
  | {
      readonly role: 'tool'
      readonly call: string
      readonly tool: string
      readonly content: string
      readonly ok: boolean
    }

/** What a model adapter returns; without `usage` the tokens are estimated from the texts. */
export interface ModelReply {
  readonly text: string
  readonly reasoning?: string
  readonly calls: readonly ToolRequest[]
  readonly usage?: { readonly input: number; readonly output: number; readonly cached: number }
}

/** What a node gets: what the journal holds, cut and redacted. */
export interface ModelAnswer {
  /** The call, as the journal names it. */
  readonly call: string
  readonly text: string
  readonly reasoning?: string
  readonly calls: readonly ToolRequest[]
  readonly usage: Usage
}
