/** AG-UI 1.0: a run of the protocol is a round of a thread, up to its end or to its open questions. */
import type { ThreadState } from '../../../../host/thread/thread.ts'
import type { AgUiMessage, RunInput } from '../../contract/chat.ts'
import type { Problem } from '../../contract/endpoint.ts'
import { Refused } from '../../contract/problem.ts'
import type { Handlers } from '../../endpoints/handler.ts'
import { eventStream } from '../../stream/event-stream.ts'
import type { ChatContext } from '../chat-thread.ts'
import { answerQuestions, partsOf, type Round, sendMessage } from '../chat-thread.ts'
import { type AgUiEvent, AgUiEvents, endOf } from './events.ts'
import { answersIn, interruptOf } from './interrupts.ts'

export const agUi: Handlers<'agUi'> = {
  async agUi({ runtime, audit, caller, body, request, ...service }) {
    const { threadId, runId, messages } = body
    const run = { threadId, runId }
    const failed = ({ detail, code }: Problem) =>
      lineOf({ type: 'RUN_ERROR', message: detail, code })
    // The protocol reports a refused run as an event.
    const started = await roundFor({ runtime, audit, caller }, body).catch(error => {
      const problem = service.report(error)
      audit({ code: problem.code })
      return { problem }
    })
    return eventStream(
      service,
      request.signal,
      async function* (_, signal) {
        yield lineOf({ type: 'RUN_STARTED', ...run, protocolVersion: '1.0' })
        if ('problem' in started) yield failed(started.problem)
        else for await (const event of eventsOf(run, started, messages, signal)) yield lineOf(event)
      },
      { failed },
    )
  },
}

const lineOf = (event: AgUiEvent): string => `data: ${JSON.stringify(event)}\n\n`

async function roundFor(context: ChatContext, body: RunInput): Promise<Round> {
  const { threadId: thread, messages, resume = [], forwardedProps } = body
  context.audit({ thread })
  if (resume.length > 0) {
    const { questions } = await context.runtime.thread(thread).state()
    return answerQuestions(context, thread, answersIn(resume, questions))
  }
  const last = messages.findLast(({ role }) => role === 'user')
  if (!last) throw new Refused(422, 'invalid-request', 'expected a message of the user, or answers')
  const { graph, input, keys } = forwardedProps ?? {}
  return sendMessage(context, { thread, graph, input, keys, text: textOf(last), id: last.id })
}

function textOf({ content = '' }: AgUiMessage): string {
  if (typeof content === 'string') return content
  return content.flatMap(({ type, text }) => (type === 'text' ? (text ?? '') : [])).join('\n')
}

async function* eventsOf(
  run: object,
  round: Round,
  earlier: readonly AgUiMessage[],
  signal: AbortSignal,
): AsyncGenerator<AgUiEvent> {
  const events = new AgUiEvents()
  for await (const part of partsOf(round, signal)) {
    yield* events.take(part)
    if (part.type !== 'ended') continue
    yield* events.finishStep()
    yield stateOf(await round.handle.state())
    yield endOf(run, part.result)
    return
  }
  if (signal.aborted) return
  yield* events.finishStep()
  const state = await round.handle.state()
  yield stateOf(state)
  const ids = new Set(events.messages.map(({ id }) => id))
  const before = earlier.filter(({ id }) => id === undefined || !ids.has(id))
  yield { type: 'MESSAGES_SNAPSHOT', messages: [...before, ...events.messages] }
  const interrupts = state.questions.map(interruptOf)
  const outcome = interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success' }
  yield { type: 'RUN_FINISHED', ...run, outcome }
}

const stateOf = ({ channels }: ThreadState): AgUiEvent => {
  return { type: 'STATE_SNAPSHOT', snapshot: channels }
}
