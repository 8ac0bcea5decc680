/** The requests of chat protocols, as far as threads need them. */
import { z } from 'zod'
import { CHOSEN_RUNGS, DECISIONS } from '../../../core/watch/event/event.ts'
import { scopeKeys } from './endpoint.ts'

const UiMessage = z.looseObject({
  id: z.string().max(500).optional(),
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      state: z.string().optional(),
      approval: z
        .looseObject({
          id: z.string(),
          approved: z.boolean().optional(),
          reason: z.string().max(10_000).optional(),
        })
        .optional(),
    }),
  ),
})
export type UiMessage = z.infer<typeof UiMessage>

/** The request of `DefaultChatTransport`. `graph`, `input` and `keys` are fields of the option `body` of the transport. */
export const ChatRequest = z.looseObject({
  id: z.string().min(1).max(500),
  messages: z.array(UiMessage).min(1),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  graph: z.string().max(500).optional(),
  input: z.record(z.string(), z.json()).optional(),
  keys: scopeKeys.optional(),
})

const AgUiMessage = z.looseObject({
  id: z.string().max(500).optional(),
  role: z.string(),
  content: z
    .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
    .optional(),
})
export type AgUiMessage = z.infer<typeof AgUiMessage>

/** Whether a call is approved, or the whole answer to a question. */
export const AnswerPayload = z.union([
  z.boolean(),
  z.looseObject({
    approved: z.boolean().optional(),
    decision: z.enum(DECISIONS).optional(),
    rung: z.enum(CHOSEN_RUNGS).optional(),
    to: z.string().optional(),
    output: z.json().optional(),
    note: z.string().max(10_000).optional(),
  }),
])

/** An answer to an interrupt of AG-UI. */
const ResumeEntry = z.looseObject({
  interruptId: z.string(),
  status: z.enum(['resolved', 'cancelled']),
  payload: AnswerPayload.optional(),
})
export type ResumeEntry = z.infer<typeof ResumeEntry>

/** The request of an AG-UI client. `graph`, `input` and `keys` are in its `forwardedProps`. */
export const RunAgentInput = z.looseObject({
  threadId: z.string().min(1).max(500),
  runId: z.string().max(500),
  messages: z.array(AgUiMessage),
  resume: z.array(ResumeEntry).optional(),
  forwardedProps: z
    .looseObject({
      graph: z.string().max(500).optional(),
      input: z.record(z.string(), z.json()).optional(),
      keys: scopeKeys.optional(),
    })
    .nullish(),
})
export type RunInput = z.infer<typeof RunAgentInput>
