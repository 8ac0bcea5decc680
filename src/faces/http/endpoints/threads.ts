/** Endpoints of threads: start, list, read, export and import. */
import type { Row } from '../../../core/run/run.ts'
import { canonical, defined, type Json } from '../../../core/watch/data/json.ts'
import type { Runtime } from '../../../host/runtime.ts'
import type { ThreadHandle, ThreadState } from '../../../host/thread/thread.ts'
import { changedPaths } from '../access/policy-change.ts'
import { liteOf } from '../contract/rows.ts'
import { Refused } from '../contract/problem.ts'
import type { Graph } from '../../../runtime/ports.ts'
import { archiveLinesIn } from '../../../runtime/store/archive-bytes.ts'
import { isThreadExists, isUnknownThread } from '../../../runtime/store/store.ts'
import { type Handlers, lines } from './handler.ts'
import { identify } from './idempotency.ts'

const PAGE = 500
/** Bytes of an archive that are decoded at once. */
const PART = 65_536

export const threads: Handlers<
  | 'listThreads'
  | 'tallies'
  | 'startThread'
  | 'thread'
  | 'rows'
  | 'threadGraph'
  | 'checkpoints'
  | 'exportThread'
  | 'importThread'
> = {
  async listThreads({ runtime, query: { stale, ...filter } }) {
    const { threads, next } = stale
      ? { threads: await runtime.unreachable(), next: undefined }
      : await runtime.threads(defined(filter))
    return { threads, ...defined({ next }) }
  },

  async tallies({ runtime, query }) {
    return { tallies: await runtime.tallies(defined(query)) }
  },

  async startThread({ runtime, body, request, caller, audit }) {
    const { graph: name, input, thread, ...options } = body
    audit({ graph: name, thread, policy: changedPaths(options.policy) })
    const graph = graphNamed(runtime, name)
    const { id, once } = await identify({ runtime, request, caller }, '', body as Json)
    const as = thread ?? (id && `${caller?.threads ?? ''}${graph.machine.id}-${id.slice(0, 24)}`)
    const start = async () => {
      const handle = await runtime.start(graph, input, defined({ ...options, thread: as, once }))
      audit({ thread: handle.id })
      return { thread: handle.id }
    }
    try {
      return await start()
    } catch (error) {
      if (once === undefined || as === undefined || !isThreadExists(error)) throw error
      const isStarted = await isStartedWith(runtime.thread(as), graph, input)
      if (isStarted === false) throw error
      // It was pruned meanwhile: the start says so, or is made.
      if (isStarted === undefined || !(await runtime.join(as, once))) return start()
      audit({ thread: as })
      return { thread: as }
    }
  },

  async thread({ runtime, params, query: { at, channels } }) {
    const state = await stateAt(handleOf(runtime, params), at)
    if (channels !== 'false') return state
    const { channels: _, ...rest } = state
    return rest
  },

  async rows({ runtime, params, query: { after, limit, fields } }) {
    const handle = handleOf(runtime, params)
    const first = await handle.rows({ after, limit: Math.min(PAGE, limit) })
    return lines(rowLines(handle, { first, limit, shape: fields === 'lite' ? liteOf : row => row }))
  },

  async threadGraph({ runtime, params }) {
    return handleOf(runtime, params).graph()
  },

  async checkpoints({ runtime, params, query }) {
    return { checkpoints: await handleOf(runtime, params).checkpoints(defined(query)) }
  },

  async exportThread({ runtime, params }) {
    const handle = handleOf(runtime, params)
    // A missing thread is an error, not an interrupted body.
    await handle.rows({ limit: 1 })
    return lines(handle.archive())
  },

  async importThread({ runtime, bytes, query: { as }, audit }) {
    audit({ thread: as })
    // Its first bytes show whether it is packed, whatever its type says.
    const lines = archiveLinesIn(partsOf(bytes), bytes.length)
    const thread = await runtime.importThread(lines, as)
    audit({ thread })
    return { thread }
  },
}

const handleOf = (runtime: Runtime, { thread = '' }: Readonly<Record<string, string>>) =>
  runtime.thread(thread)

/** The state now, or after an event of the thread. @throws Refused */
export async function stateAt(handle: ThreadHandle, at: number | undefined): Promise<ThreadState> {
  const state = await handle.state(at)
  if (at === undefined || state.seq === at) return state
  throw new Refused(404, 'unknown-event', `the last event of the thread is ${state.seq}`)
}

/** @throws Refused */
export function graphNamed({ graphs }: Runtime, name: string): Graph {
  // The last version of a graph starts new threads.
  const graph = graphs.findLast(({ machine }) => machine.id === name)
  if (graph) return graph
  const known = graphs.map(({ machine }) => machine.id).join(', ')
  throw new Refused(404, 'unknown-graph', `unknown graph; known graphs: ${known || '(none)'}`)
}

/** Whether a repeated request has started this thread. `undefined`: it is missing. */
async function isStartedWith(handle: ThreadHandle, { machine }: Graph, input: Json) {
  const [first] = await rowsOf(handle, 1)
  if (!first) return undefined
  if (first.event.type !== 'thread.started') return false
  const { specHash, input: given } = first.event
  return specHash === machine.hash && canonical(given) === canonical(input)
}

/** The first rows of a thread. Empty for a thread that is not stored. */
export const rowsOf = (handle: ThreadHandle, limit?: number): Promise<readonly Row[]> =>
  handle.rows(defined({ limit })).catch(error => {
    if (!isUnknownThread(error)) throw error
    return []
  })

interface Listed {
  readonly first: readonly Row[]
  readonly limit: number
  readonly shape: (row: Row) => object
}

async function* rowLines(handle: ThreadHandle, { first, limit, shape }: Listed) {
  let rows = first
  for (let sent = 0; rows.length > 0; ) {
    yield rows.map(row => `${JSON.stringify(shape(row))}\n`).join('')
    sent += rows.length
    const last = rows.at(-1)?.seq ?? -1
    if (sent >= limit || rows.length < PAGE) return
    rows = await handle.rows({ after: last, limit: Math.min(PAGE, limit - sent) })
  }
}

/** Parts of bytes: lines are decoded and checked one part after the other. */
async function* partsOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += PART) yield bytes.subarray(at, at + PART)
}
