/** The request of `DefaultChatTransport`, as far as threads need it. */
import { z } from 'zod'

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

/** `graph` and `input` are fields of the option `body` of the transport. */
export const ChatRequest = z.looseObject({
  id: z.string().min(1).max(500),
  messages: z.array(UiMessage).min(1),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  graph: z.string().max(500).optional(),
  input: z.record(z.string(), z.json()).optional(),
})
