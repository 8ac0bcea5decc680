/** A stored journal as a cassette: it answers the calls of another run, until that run makes another call. */
import type { Row } from '../../core/run/run.ts'
import { callKey, type Json } from '../../core/watch/data/json.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import type { EventOf } from '../../core/watch/event/event.ts'
import type { Calling, Graph, Model, Tool } from '../../runtime/ports.ts'
import type { ModelReply } from '../../runtime/model-message.ts'
import { replaceParts } from '../../testing/replace.ts'

/** `fail`: a call that is not recorded fails. `scripted`: the tool or the model of the graph answers. */
export type OnMiss = 'fail' | 'scripted'

type Recorded = Readonly<{ subject: string; key: string; ms: number }> &
  (
    | { readonly value: unknown; readonly failure?: undefined }
    | { readonly failure: Failure; readonly value?: undefined }
  )

/** The first call that the journal does not answer. */
export type Divergence = Readonly<{ call: string; attempt: number; subject: string }>

export class Cassette {
  /** Set once the run makes a call that the journal does not have. Nothing is answered from then on. */
  divergence: Divergence | undefined
  readonly #calls: ReadonlyMap<string, Recorded>
  readonly #onMiss: OnMiss

  constructor(rows: readonly Row[], onMiss: OnMiss) {
    this.#calls = recordedCalls(rows)
    this.#onMiss = onMiss
  }

  /** The graph with tools and models that answer from the journal. */
  play(graph: Graph): Graph {
    const copies = replaceParts(graph, {
      tool: (tool, name) =>
        Object.assign(Object.create(tool) as Tool, {
          execute: (args: Json, call: Calling) =>
            this.#answer(name, call, callKey(name, args), () => tool.execute(args, call)),
        }),
      model: (model, name) =>
        Object.assign(Object.create(model) as Model, {
          ask: (...[request, call]: Parameters<Model['ask']>) =>
            this.#answer(name, call, undefined, () => model.ask(request, call)),
        }),
    })
    return copies.get(graph) as Graph
  }

  /** `key`: the identity of the arguments, for tools. */
  async #answer<T>(
    subject: string,
    call: Calling,
    key: string | undefined,
    live: () => Promise<T>,
  ): Promise<T> {
    const { attempt } = call
    const id = call.idempotencyKey.split('/').slice(-2).join('/')
    const recorded = this.#calls.get(nameOf(id, attempt))
    const fits = recorded?.subject === subject && (key === undefined || recorded.key === key)
    if (!recorded || !fits) this.divergence ??= { call: id, attempt, subject }
    if (!recorded || this.divergence) {
      if (this.#onMiss === 'scripted') return live()
      throw Object.assign(new Error('the call is not recorded'), { status: 404 })
    }
    await call.sleep(recorded.ms)
    if (recorded.failure) throw errorOf(recorded.failure)
    return recorded.value as T
  }
}

const nameOf = (call: string, attempt: number): string => `${call} ${attempt}`

/** A guessed status is found in the message again. */
const errorOf = ({ message, status, guessed, attempts, ...failure }: Failure): Error =>
  Object.assign(new Error(message), {
    name: failure.name,
    code: failure.code,
    syscall: failure.syscall,
    retryAfter: failure.retryAfter,
    attemptNumber: attempts,
    ...(!guessed && { status }),
  })

type Called = EventOf<'tool.called' | 'model.called'> & { readonly at: number }

/** The answer to each attempt. */
function recordedCalls(rows: readonly Row[]): ReadonlyMap<string, Recorded> {
  const open = new Map<string, Called>()
  const calls = new Map<string, Recorded>()
  for (const { event } of rows) {
    if (event.type === 'tool.called' || event.type === 'model.called') open.set(event.call, event)
    const called = 'call' in event ? open.get(event.call) : undefined
    if (!called) continue
    const { call, subject, attempt } = called
    const of = { subject, key: called.type === 'tool.called' ? callKey(subject, called.args) : '' }
    const ms = event.at - called.at
    if (event.type === 'tool.done')
      calls.set(nameOf(call, attempt), { ...of, ms, value: event.result })
    else if (event.type === 'model.done')
      calls.set(nameOf(call, attempt), { ...of, ms, value: replyOf(event) })
    else if (event.type === 'tool.failed' || event.type === 'model.failed')
      calls.set(nameOf(call, event.attempt), { ...of, ms, failure: event.failure })
  }
  return calls
}

function replyOf({ text, reasoning, calls, usage }: EventOf<'model.done'>): ModelReply {
  const { input, output, cached = 0 } = usage
  const thoughts = reasoning === undefined ? {} : { reasoning }
  return { text, ...thoughts, calls, usage: { input, output, cached } }
}
