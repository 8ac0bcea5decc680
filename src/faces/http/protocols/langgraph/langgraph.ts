/** The LangGraph server wire, v2: `useStream` and the client of `@langchain/langgraph-sdk` talk to threads. */
import type { Runtime } from '../../../../host/runtime.ts'
import type { Json } from '../../../../core/watch/data/json.ts'
import { InputRespond, RunStart } from '../../contract/langgraph.ts'
import { parseAs, problemOf, Refused } from '../../contract/problem.ts'
import { checkApplied } from '../../endpoints/commands.ts'
import type { Handlers } from '../../endpoints/handler.ts'
import { eventStream } from '../../stream/event-stream.ts'
import { answerOf } from '../ag-ui/interrupts.ts'
import type { ChatContext } from '../chat-thread.ts'
import { answerQuestions, questionId, roundOf, sendMessage } from '../chat-thread.ts'
import { lastHuman, textOf } from './messages.ts'
import { statesAt } from './state.ts'
import { eventsFor } from './stream.ts'

type Command = { readonly id: number; readonly method: string; readonly params?: Json }

export const langGraph: Handlers<
  | 'langGraphCreate'
  | 'langGraphThread'
  | 'langGraphState'
  | 'langGraphHistory'
  | 'langGraphCommand'
  | 'langGraphCancel'
  | 'langGraphEvents'
> = {
  async langGraphCreate({ runtime, body, now, caller, audit }) {
    const { thread_id = `${caller?.threads ?? ''}${crypto.randomUUID()}`, metadata = {} } = body
    runtime.thread(thread_id)
    audit({ thread: thread_id })
    return { ...threadOf(thread_id, new Date(now), metadata), status: 'idle', values: null }
  },

  async langGraphThread({ runtime, params: { thread = '' }, now }) {
    const [state] = await statesOf(runtime, thread, 1)
    const { values = null, tasks = [], next = [], metadata = {} } = state ?? {}
    const status = tasks.length > 0 ? 'interrupted' : next.length > 0 ? 'busy' : 'idle'
    return { ...threadOf(thread, new Date(now), metadata), status, values }
  },

  async langGraphState({ runtime, params: { thread = '' } }) {
    return (await statesOf(runtime, thread, 1))[0]
  },

  async langGraphHistory({ runtime, params: { thread = '' }, body: { limit } }) {
    return statesOf(runtime, thread, limit)
  },

  /** The protocol reports a refused command in its response. */
  async langGraphCommand({ runtime, audit, caller, params: { thread = '' }, body }) {
    const { id } = body
    try {
      const result = await runCommand({ runtime, audit, caller }, thread, body as Command)
      const { seq } = await runtime.thread(thread).summary()
      return { type: 'success', id, result, meta: { applied_through_seq: seq, thread_id: thread } }
    } catch (error) {
      const { status, code, detail: message } = problemOf(error)
      if (status === 500) throw error
      audit({ code })
      return { type: 'error', id, error: errorOf(code), message }
    }
  },

  async langGraphCancel({ runtime, audit, params: { thread = '', run = '' } }) {
    audit({ do: 'cancel' })
    const handle = runtime.thread(thread)
    const { message } = await roundOf(handle)
    // A late request does not cancel the next run.
    if (!(Number(run) >= message))
      throw new Refused(404, 'unknown-event', `run '${run}' of the thread has ended`)
    if ((await handle.summary()).status !== 'ended') checkApplied(await handle.cancel())
    return new Response(null, { status: 204 })
  },

  async langGraphEvents({ runtime, params: { thread = '' }, body, request, ...service }) {
    const handle = runtime.thread(thread)
    return eventStream(service, request.signal, (_, signal) =>
      eventsFor(runtime, handle, body, signal),
    )
  },
}

function threadOf(thread_id: string, now: Date, metadata: object) {
  return { thread_id, created_at: now, updated_at: now, metadata, interrupts: {} }
}

async function statesOf(runtime: Runtime, thread: string, limit: number) {
  const handle = runtime.thread(thread)
  const { seq } = await handle.state()
  const earlier = limit > 1 ? await handle.checkpoints({ before: seq - 1, limit: limit - 1 }) : []
  return statesAt(handle, [seq, ...earlier])
}

const SUPPORTED = 'run.start, input.respond'

async function runCommand(context: ChatContext, thread: string, { method, params }: Command) {
  if (method === 'run.start') return startRun(context, thread, params)
  if (method === 'input.respond') return respond(context, thread, params)
  throw new Refused(422, 'unknown-command', `unknown command; supported commands: ${SUPPORTED}`)
}

async function startRun(context: ChatContext, thread: string, params: unknown) {
  const { assistant_id: graph, input } = parseAs(RunStart, params, 'command')
  const { messages = [], ...rest } = input
  const sent = [messages].flat()
  const fields = rest as Readonly<Record<string, Json>>
  const last = sent.length === 0 ? undefined : lastHuman(sent)
  const of = last ? { text: textOf(last), id: last.id } : { text: '', input: fields }
  const { message } = await sendMessage(context, { thread, graph, ...of })
  return { run_id: String(message) }
}

/** Answers the named interrupts. Others stay open. */
async function respond(context: ChatContext, thread: string, params: unknown) {
  const { responses } = parseAs(InputRespond, params, 'command')
  const { questions } = await context.runtime.thread(thread).state()
  const answers = responses.map(({ interrupt_id: interruptId, response: payload }) => {
    const asked = questions.find(question => questionId(question) === interruptId)
    if (!asked) throw new Refused(409, 'question-closed', `'${interruptId}' is not open`)
    return answerOf(asked, { interruptId, status: 'resolved', payload })
  })
  await answerQuestions(context, thread, answers)
  return {}
}

/** The code of the protocol for an error of the service. */
function errorOf(code: string): string {
  if (code === 'unknown-command') return 'unknown_command'
  if (code === 'question-closed' || code === 'unknown-question') return 'no_such_interrupt'
  return code === 'unknown-thread' ? 'no_such_run' : 'invalid_argument'
}
