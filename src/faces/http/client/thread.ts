/** A thread of the service. */
import { chunksOf } from './chunks.ts'
import { defined } from '../../../core/watch/data/json.ts'
import type { CommandOptions } from '../../../host/drive/command.ts'
import { resultOf } from '../../../host/thread/result.ts'
import type { ForkOptions, ThreadHandle, ThreadState } from '../../../host/thread/thread.ts'
import type { ThreadGraph } from '../../../host/thread/thread-graph.ts'
import type { Command } from '../contract/command.ts'
import type { Calls } from './calls.ts'
import { eventsOf } from './events.ts'
import { ServiceError } from './requests.ts'

type OfHandle = Omit<ThreadHandle, 'drive' | 'resume' | 'fork'>

/** A thread of the service. Its commands reject with `ServiceError` if they are refused. */
export interface ClientThread extends OfHandle {
  /** Lifts a pause, and has the service drive the thread. Resolves once the pause is lifted. */
  resume(options?: CommandOptions): Promise<void>
  /** Creates a thread with the state of this one, which the service drives. */
  fork(options: Omit<ForkOptions, 'once'>, command?: CommandOptions): Promise<ClientThread>
}

export function threadOf(calls: Calls, id: string, retries?: number): ClientThread {
  const params = { thread: id }
  const stateAt = async (at?: number, signal?: AbortSignal) =>
    (await calls.thread({ params, query: { at } }, defined({ signal }))) as unknown as ThreadState
  const events: ClientThread['events'] = (options = {}) =>
    eventsOf(calls, id, { ...options, ...defined({ retries }) })
  return {
    id,
    events,
    async result({ signal } = {}) {
      for (;;) {
        const state = await stateAt(undefined, signal)
        if (state.status === 'ended') return resultOf(state)
        for await (const _ of events({ after: state.seq, ...defined({ signal }) }));
        signal?.throwIfAborted()
      }
    },
    state: seq => stateAt(seq),
    async summary() {
      const { threads } = await calls.listThreads({ query: { prefix: id, limit: 1 } })
      const [summary] = threads
      if (summary?.thread === id) return summary as never
      const detail = `thread '${id}' does not exist in this store`
      throw new ServiceError({ title: 'Not found', status: 404, code: 'unknown-thread', detail })
    },
    async rows(options = {}) {
      const text = await (await calls.rows({ params, query: options })).text()
      return text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
    },
    checkpoints: async (options = {}) =>
      (await calls.checkpoints({ params, query: options })).checkpoints,
    graph: async () => (await calls.threadGraph({ params })) as unknown as ThreadGraph,
    async *archive() {
      for await (const lines of linesOf(await calls.exportThread({ params })))
        for (const line of lines) yield `${line}\n`
    },
    ...commandsOf(calls, id),
    async fork(request, options = {}) {
      const { thread } = await command(calls, id, { do: 'fork', ...request } as Command, options)
      return threadOf(calls, thread, retries)
    },
  }
}

type Commands = Omit<
  ClientThread,
  | 'id'
  | 'events'
  | 'result'
  | 'state'
  | 'summary'
  | 'rows'
  | 'checkpoints'
  | 'graph'
  | 'archive'
  | 'fork'
>

function commandsOf(calls: Calls, id: string): Commands {
  const apply = async (body: object, options: CommandOptions = {}) => {
    await command(calls, id, body as Command, options)
    return { applied: true } as const
  }
  return {
    answer(question, answer, options) {
      const request = typeof answer === 'string' ? { decision: answer } : answer
      return apply({ do: 'answer', question, ...request }, options)
    },
    send: (input, options) => apply({ do: 'send', input }, options),
    cancel: (reason, options) => apply({ do: 'cancel', reason }, options),
    changePolicy: (change, options) => apply({ do: 'patch-policy', change }, options),
    stop: (reason, options) => apply({ do: 'stop', reason }, options),
    pause: (reason, options) => apply({ do: 'pause', reason }, options),
    async migrate({ graph, preview, ...options } = {}) {
      const body = { do: 'migrate', ...defined({ graph, preview }) } as const
      const { migration } = await command(calls, id, body, options)
      return { applied: true, ...defined({ migration }) }
    },
    continue: options => apply({ do: 'resume' }, options),
    async resume(options) {
      await apply({ do: 'resume' }, options)
    },
    step: ({ until, ...options } = {}) => apply({ do: 'step', ...defined({ until }) }, options),
    escape: (choice, options) => apply({ do: 'escape', ...choice }, options),
    rollback: options => apply({ do: 'rollback' }, options),
    dismiss: (finding, options) => apply({ do: 'dismiss', finding }, options),
    inject: (injection, options) => apply({ do: 'inject', ...injection } as never, options),
  }
}

const command = (
  calls: Calls,
  thread: string,
  body: Command,
  { expectSeq, id, signal }: CommandOptions,
) =>
  calls.command(
    { params: { thread }, body: { ...body, ...defined({ expectSeq }) } },
    defined({ id, signal }),
  )

/** The lines of a response as they arrive, many at a time, without their line breaks. */
export async function* linesOf({ body }: Response): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of chunksOf(body)) {
    const text = decoder.decode(bytes, { stream: true })
    if (!text.includes('\n')) {
      rest += text
      continue
    }
    const lines = text.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield lines
  }
  if (rest !== '') yield [rest]
}
