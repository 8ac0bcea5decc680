/** The threads of a key: a runtime that has only threads whose names begin with its prefix. */
import { defined } from '../../../core/watch/data/json.ts'
import { parentIn } from '../../../core/watch/data/thread-name.ts'
import type { ThreadPage } from '../../../host/overview.ts'
import type { Runtime } from '../../../host/runtime.ts'
import type { ThreadHandle } from '../../../host/thread/thread.ts'
import type { ThreadQuery } from '../../../runtime/store/store.ts'
import { Refused } from '../contract/problem.ts'
import type { Caller } from './access.ts'

/** Whether a caller may see a thread. A child has the owner of its outermost parent. */
export function ownsThread({ threads: prefix }: Pick<Caller, 'threads'>, thread: string): boolean {
  if (prefix === undefined) return true
  let root = thread
  for (let above = parentIn(root); above !== undefined; above = parentIn(root)) root = above
  return root.startsWith(prefix)
}

/** @throws Refused */
function checkOwner(prefix: string, thread: string): void {
  if (ownsThread({ threads: prefix }, thread)) return
  throw new Refused(403, 'foreign-thread', `the threads of this key begin with '${prefix}'`)
}

/** Refuses a key that has only its own threads. @throws Refused */
export function checkShared(caller: Caller | undefined): void {
  if (caller?.threads !== undefined) throw sharedState(caller.threads)
}

const sharedState = (prefix: string): Refused =>
  new Refused(403, 'shared-state', `this key has only the threads that begin with '${prefix}'`)

/** The runtime with the threads under a prefix. */
export function tenantRuntime(runtime: Runtime, prefix: string): Runtime {
  const own = ownUnder(prefix)
  const refuse = async (): Promise<never> => {
    throw sharedState(prefix)
  }
  return {
    ...runtime,
    thread(id, graph) {
      checkOwner(prefix, id)
      return handleOf(runtime.thread(id, graph), prefix)
    },
    async start(graph, input, options = {}) {
      const { thread = `${prefix}${graph.machine.id}-${crypto.randomUUID().slice(0, 8)}` } = options
      checkOwner(prefix, thread)
      return handleOf(await runtime.start(graph, input, { ...options, thread }), prefix)
    },
    threads: (query = {}) => ownPage(runtime, own, query),
    threadCounts: refuse,
    tallies: refuse,
    unreachable: async () => own.of(await runtime.unreachable()),
    questions: (query = {}) => own.list(runtime.questions, query),
    answered: (query = {}) => own.list(runtime.answered, query),
    changeBreaker: refuse,
    async breakpoints() {
      return (await runtime.breakpoints()).filter(
        ({ thread }) => thread === undefined || own.has(thread),
      )
    },
    async changeBreakpoint(of, change) {
      if (of.thread === undefined) throw sharedState(prefix)
      checkOwner(prefix, of.thread)
      await runtime.changeBreakpoint(of, change)
    },
    scopes: refuse,
    releaseScope: refuse,
    query: refuse,
    async importThread(lines, as) {
      checkOwner(prefix, as ?? '')
      return runtime.importThread(lines, as)
    },
    async *follow(signal) {
      for await (const rows of runtime.follow(signal)) yield own.of(rows)
    },
    observe: observer =>
      runtime.observe(update => {
        if (update.kind === 'breaker' || own.has(update.thread)) observer(update)
      }),
  }
}

/** What a prefix leaves of lists. */
function ownUnder(prefix: string) {
  const has = (thread: string) => ownsThread({ threads: prefix }, thread)
  const of = <T extends { readonly thread: string }>(all: readonly T[]) =>
    all.filter(({ thread }) => has(thread))
  /** The longer one of the wanted prefix and this one, if one begins with the other. */
  const within = (wanted = ''): string | undefined =>
    [wanted, prefix].find(each => each.startsWith(wanted) && each.startsWith(prefix))
  async function list<T extends { readonly thread: string }>(
    all: (query: ThreadQuery) => Promise<readonly T[]>,
    query: ThreadQuery,
  ): Promise<readonly T[]> {
    const longer = within(query.prefix)
    return longer === undefined ? [] : of(await all({ ...query, prefix: longer }))
  }
  return { has, of, within, list }
}

/** A cursor names no thread of others: it is the last own thread, or the search goes on. */
async function ownPage(
  runtime: Runtime,
  own: ReturnType<typeof ownUnder>,
  query: ThreadQuery,
): Promise<ThreadPage> {
  const prefix = own.within(query.prefix)
  if (prefix === undefined) return { threads: [] }
  for (let { after } = query; ; ) {
    const { threads, next } = await runtime.threads({ ...query, prefix, ...defined({ after }) })
    const found = own.of(threads)
    if (next === undefined) return { threads: found }
    const last = found.at(-1)
    if (last) return { threads: found, next: last.thread }
    after = next
  }
}

/** A handle whose forks stay under the prefix. */
function handleOf<Output, Channels>(handle: ThreadHandle<Output, Channels>, prefix: string) {
  const fork: ThreadHandle<Output, Channels>['fork'] = async options => {
    if (options.as !== undefined) checkOwner(prefix, options.as)
    return handleOf(await handle.fork(options), prefix)
  }
  return { ...handle, fork }
}
