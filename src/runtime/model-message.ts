/** Messages to models, their replies, and the answers that nodes receive. */
import type { ReportedUsage, ToolRequest, Usage } from '../core/watch/event/call-event.ts'

/** A message of a conversation with a model. */
export type Message =
  /** `round`: the round that it opens. */
  | { readonly role: 'user'; readonly content: string; readonly round?: number }
  /** `answer`: the id of the model call that produced it. */
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

/** The reply of a model adapter. Tokens that `usage` does not report are estimated from the texts. */
export interface ModelReply {
  readonly text: string
  readonly reasoning?: string
  readonly calls: readonly ToolRequest[]
  readonly usage?: ReportedUsage
}

/** The answer that a node receives, truncated and redacted as in the journal. */
export interface ModelAnswer extends Omit<ModelReply, 'usage'> {
  /** The id of the call in the journal. */
  readonly call: string
  readonly usage: Usage
}
