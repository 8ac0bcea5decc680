/** A stored journal as a cassette: it answers the calls of another run, until that run makes another call. */
import type { Row } from '../../core/run/run.ts'
import { callKey, type Json } from '../../core/watch/data/json.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import type { EventOf } from '../../core/watch/event/event.ts'
import type { Calling, Graph, Model, Reconciliation, Tool } from '../../runtime/ports.ts'
import type { ModelReply } from '../../runtime/model-message.ts'
import { type FakeTool, withFake } from '../../testing/fake-tool.ts'
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

/** `key`: the identity of the arguments, for tools. */
type Asked = Readonly<{ subject: string; id: string; key?: string; call: Calling }>

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
      tool: (tool, name) => withFake(tool, this.#functionsOf(tool, name)),
      model: (model, name) =>
        Object.assign(Object.create(model) as Model, {
          ask: (...[request, call]: Parameters<Model['ask']>) =>
            this.#answer({ subject: name, id: idOf(call), call }, () => model.ask(request, call)),
        }),
    })
    return copies.get(graph) as Graph
  }

  #functionsOf(tool: Tool, name: string): FakeTool<Tool['execute']> {
    const of = (args: Json, call: Calling) => ({ subject: name, key: callKey(name, args), call })
    const { reconcile, compensate } = tool
    return {
      execute: (args, call) =>
        this.#answer({ ...of(args, call), id: idOf(call) }, () => tool.execute(args, call)),
      ...(reconcile && {
        reconcile: (args: Json, call: Calling) =>
          this.#answer({ ...of(args, call), id: reconcileOf(idOf(call)) }, () =>
            reconcile.call(tool, args, call),
          ),
      }),
      ...(compensate && {
        compensate: (args: Json, result: Json, call: Calling) =>
          this.#answer({ ...of(args, call), id: undoOf(idOf(call)) }, () =>
            compensate.call(tool, args, result, call),
          ),
      }),
    }
  }

  async #answer<T>({ subject, id, key, call }: Asked, live: () => Promise<T>): Promise<T> {
    const { attempt } = call
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

/** The last two parts of the key, also of a call that is undone. */
const idOf = ({ idempotencyKey }: Calling): string => idempotencyKey.split('/').slice(-2).join('/')

const reconcileOf = (call: string): string => `reconcile ${call}`
const undoOf = (call: string): string => `undo ${call}`

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
    const { subject, attempt } = called
    const undone = 'compensates' in called ? called.compensates : undefined
    const call = undone === undefined ? called.call : undoOf(undone)
    const of = { subject, key: called.type === 'tool.called' ? callKey(subject, called.args) : '' }
    const ms = event.at - called.at
    if (event.type === 'tool.done')
      calls.set(nameOf(call, attempt), { ...of, ms, value: event.result })
    else if (event.type === 'model.done')
      calls.set(nameOf(call, attempt), { ...of, ms, value: replyOf(event) })
    else if (event.type === 'call.reconciled' && event.by === 'tool')
      calls.set(nameOf(reconcileOf(call), attempt), {
        ...of,
        ms: 0,
        value: reconciliationOf(event),
      })
    // A call in doubt fails twice; the second failure says why the doubt stays.
    else if (
      (event.type === 'tool.failed' || event.type === 'model.failed') &&
      !calls.has(nameOf(call, event.attempt))
    )
      calls.set(nameOf(call, event.attempt), { ...of, ms, failure: event.failure })
  }
  return calls
}

/** What the tool said counted: a call that was not applied was fenced, or had ended. */
const reconciliationOf = ({ answer, result }: EventOf<'call.reconciled'>): Reconciliation => ({
  ...{ answer, result },
  fenced: true,
})

function replyOf({ text, reasoning, calls, usage }: EventOf<'model.done'>): ModelReply {
  const { input, output, cached = 0 } = usage
  const thoughts = reasoning === undefined ? {} : { reasoning }
  return { text, ...thoughts, calls, usage: { input, output, cached } }
}
