/** The UI message stream of the AI SDK: `useChat` with `DefaultChatTransport` talks to threads. */
import { isBelow } from '../../../../core/watch/data/thread-name.ts'
import type { Runtime } from '../../../../host/runtime.ts'
import type { ThreadHandle } from '../../../../host/thread/thread.ts'
import type { Call, Handlers } from '../../endpoints/handler.ts'
import type { Problem } from '../../contract/endpoint.ts'
import { Refused } from '../../contract/problem.ts'
import { eventStream } from '../../stream/event-stream.ts'
import {
  answerQuestions,
  summaryOf,
  partsOf,
  questionIn,
  roundOf,
  sendMessage,
} from '../chat-thread.ts'
import type { QuestionAnswer, Round } from '../chat-thread.ts'
import { type Chunk, Chunks } from './chunks.ts'
import type { UiMessage } from '../../contract/chat.ts'

export const chat: Handlers<'chat' | 'chatStream'> = {
  async chat({ runtime, audit, caller, body, request, ...service }) {
    const { id: thread, messages, graph, input, keys, trigger } = body
    const last = messages.at(-1)
    if (!last || last.role === 'system' || trigger === 'regenerate-message')
      throw new Refused(422, 'invalid-request', 'expected a new message or an approval')
    const isAnswer = last.role === 'assistant'
    const round = isAnswer
      ? await answerQuestions({ runtime, audit, caller }, thread, approvalsIn(last))
      : await sendMessage(
          { runtime, audit, caller },
          { thread, graph, input, keys, text: textOf(last), id: last.id },
        )
    const messageId = isAnswer ? undefined : idOf(thread, round)
    return streamOf({ ...service, request }, round, messageId)
  },

  async chatStream({ runtime, params: { thread = '' }, request, ...service }) {
    const handle = runtime.thread(thread)
    if (!(await isRunning(runtime, handle))) return new Response(null, { status: 204 })
    const round = await roundOf(handle)
    return streamOf({ ...service, request }, round, idOf(thread, round))
  },
}

/** Whether an answer is running: in the thread, or in a child that it waits for. */
async function isRunning(runtime: Runtime, handle: ThreadHandle): Promise<boolean> {
  const { status } = (await summaryOf(handle)) ?? {}
  if (status !== 'waiting') return status === 'active'
  const { threads } = await runtime.threads({ prefix: `${handle.id}/`, status: 'active' })
  return threads.some(({ thread }) => isBelow(thread, handle.id))
}

/** Equal for every stream of a round: a client that reconnects replaces its message. */
const idOf = (thread: string, { message }: Round): string => `${thread}:${message}`

function streamOf(
  { request, ...service }: Pick<Call<unknown, unknown>, 'closing' | 'place' | 'report' | 'request'>,
  round: Round,
  messageId: string | undefined,
): Response {
  const headers = { 'x-vercel-ai-ui-message-stream': 'v1' }
  const failed = ({ detail }: Problem) => lineOf({ type: 'error', errorText: detail })
  return eventStream(
    service,
    request.signal,
    async function* (_, signal) {
      const chunks = new Chunks()
      yield lineOf(chunks.start(messageId))
      let isEnded = false
      for await (const part of partsOf(round, signal)) {
        isEnded = part.type === 'ended'
        for (const chunk of chunks.take(part)) yield lineOf(chunk)
      }
      if (!isEnded && !signal.aborted) for (const chunk of chunks.finish()) yield lineOf(chunk)
      yield 'data: [DONE]\n\n'
    },
    { headers, failed },
  )
}

const lineOf = (chunk: Chunk): string => `data: ${JSON.stringify(chunk)}\n\n`

const textOf = ({ parts }: UiMessage): string =>
  parts.flatMap(({ type, text }) => (type === 'text' ? (text ?? '') : [])).join('\n')

/** The approvals that a person has just given in the last message. */
function approvalsIn({ parts }: UiMessage): readonly QuestionAnswer[] {
  const answers = parts.flatMap(({ state, approval }): QuestionAnswer[] => {
    if (state !== 'approval-responded' || approval?.approved === undefined) return []
    const { id, approved, reason } = approval
    const note = reason === undefined ? {} : { note: reason }
    return [{ ...questionIn(id), decision: approved ? 'approved' : 'rejected', ...note }]
  })
  if (answers.length > 0) return answers
  throw new Refused(422, 'invalid-request', 'the last message has no answered approval')
}
