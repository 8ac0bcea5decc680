/** What a service shows of all threads of a runtime: lists, open questions, breakers and scopes. */
import type { Breakpoint } from '../core/control.ts'
import { releaseScope, type ScopeStanding, standingsOf } from '../core/watch/budget/scope.ts'
import { lint } from '../core/graph/lint/lint.ts'
import { worstCaseOf } from '../core/graph/worst-case/worst-case.ts'
import { codedError, guardOf } from '../core/watch/data/fault.ts'
import { canonical, defined, hash, type Json } from '../core/watch/data/json.ts'
import { type Breaker, CLOSED, tripBreaker } from '../core/watch/failure/breaker.ts'
import type { ThreadStatus } from '../core/view.ts'
import { nodeOwner } from '../adapters/node/ports.ts'
import { importThreads } from '../runtime/drive/copy.ts'
import type { Clock, Graph } from '../runtime/ports.ts'
import { parseArchive } from '../runtime/store/archive.ts'
import type { ScopeKey, ThreadSummary } from '../runtime/store/store.ts'
import type { Host } from './host.ts'
import { BoundElsewhere, nestedGraph } from './load.ts'
import { listingOf, type ThreadListing } from './listing.ts'
import { followRows, type ThreadRow } from './follow-rows.ts'
import { type QuestionState, stateOf } from './thread.ts'

/** The options of `threads`. */
export interface ThreadFilter {
  readonly graph?: string
  readonly status?: ThreadStatus
  readonly outcome?: string
  /** The name begins with this text. */
  readonly prefix?: string
  /** The name of the last thread of the previous page. */
  readonly after?: string
  /** Default: 50. */
  readonly limit?: number
}

/** Threads sorted by name. `next` continues the list as `after`. */
export type ThreadPage = Readonly<{ threads: readonly ThreadListing[]; next?: string }>

/** The number of threads with the same graph, status and outcome. */
export type ThreadCount = Pick<ThreadSummary, 'graph' | 'status' | 'outcome'> & {
  readonly count: number
}

/** An open question with the thread that asks it. */
export type InboxQuestion = QuestionState & { readonly thread: string; readonly graph: string }

/** The breaker of a tool or model: `GRAPH/tool:NAME` or `GRAPH/model:NAME`. */
export type NamedBreaker = Breaker & { readonly resource: string }

/** `half-open`: the next call is a probe. `auto` closes the breaker, and the next failures decide. */
export type BreakerChange = 'open' | 'half-open' | 'close' | 'auto'

/** Whether a breakpoint is set or cleared. */
export type BreakpointChange = 'set' | 'clear'

/** All threads of a runtime, and what they share. */
export interface Overview {
  /** The graphs of this runtime. */
  readonly graphs: readonly Graph[]
  threads(filter?: ThreadFilter): Promise<ThreadPage>
  /** How many threads have each graph, status and outcome. */
  threadCounts(): Promise<readonly ThreadCount[]>
  /** The open questions of all threads, earliest deadline first. */
  questions(): Promise<readonly InboxQuestion[]>
  breakers(): Promise<readonly NamedBreaker[]>
  /** Changes a breaker for all processes of the store. `ms`: how long it stays open (default: one hour). */
  changeBreaker(resource: string, change: BreakerChange, ms?: number): Promise<NamedBreaker>
  breakpoints(): Promise<readonly Breakpoint[]>
  /** Sets or clears a breakpoint: threads of the graph pause before they enter the node. @throws UnknownNode */
  changeBreakpoint(of: Breakpoint, change?: BreakpointChange): Promise<void>
  scopes(): Promise<readonly ScopeStanding[]>
  /** Resets a scope. Returns `false` for an unknown one. */
  releaseScope(of: ScopeKey): Promise<boolean>
  /** Imports the lines of an archive. Only threads of the graphs of this runtime. Returns the name of the thread. @throws BadArchive, ThreadExists, ReservedName */
  importThread(lines: AsyncIterable<string>, as?: string): Promise<string>
  /** The rows of all threads, stored from now on by any process, in order for each thread. Ends with the signal. */
  follow(signal: AbortSignal): AsyncIterable<readonly ThreadRow[]>
  /** Whether a request equals the first one with this key. Keys stay in the store. */
  isSameRequest(key: string, request: Json): Promise<boolean>
}

const LIMIT = 50
const HOUR = 3_600_000

export function overviewOf(host: Host, graphs: readonly Graph[], clock: Clock): Overview {
  const { store } = host
  return {
    graphs,
    async threads({ limit = LIMIT, ...filter } = {}) {
      const all = (await store.threads()).filter(each => isListed(each, filter))
      const threads = all.toSorted(byName).slice(0, limit)
      return {
        threads: threads.map(listingOf),
        ...defined({ next: all.length > limit ? threads.at(-1)?.thread : undefined }),
      }
    },
    threadCounts: async () => countsOf(await store.threads()),
    async questions() {
      const waiting = (await store.threads()).filter(each => {
        return each.status === 'waiting' && host.owns(each)
      })
      const asked = waiting.map(async ({ thread, graph }) => {
        const { questions } = await stateOf(host, thread)
        // The thread of a child lists the question of the child.
        const own = questions.filter(question => question.thread === undefined)
        return own.map(question => ({ ...question, thread, graph }))
      })
      const rank = ({ deadline }: InboxQuestion) => deadline ?? Number.POSITIVE_INFINITY
      return (await Promise.all(asked)).flat().toSorted((a, b) => {
        return rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b))
      })
    },
    async breakers() {
      const known = [...(await store.breakers())]
      return known.map(([resource, breaker]) => ({ resource, ...breaker }))
    },
    async changeBreaker(resource, change, ms = HOUR) {
      const [, after] = await store.changeBreaker(resource, before => {
        if (change === 'close' || change === 'auto') return CLOSED
        return tripBreaker(before, clock.now(), change === 'half-open' ? 0 : ms)
      })
      return { resource, ...after }
    },
    breakpoints: () => store.breakpoints(),
    async changeBreakpoint(of, change = 'set') {
      if (change === 'set') checkNode(graphs, of)
      await store.changeBreakpoint(of, change === 'set')
      host.wake()
    },
    scopes: async () => standingsOf(await store.shares(), clock.now()),
    async releaseScope(of) {
      const known = await store.shares(of)
      if (known.length > 0) await store.changeShares(of, releaseScope)
      return known.length > 0
    },
    async importThread(lines, as) {
      const ports = {
        ...nodeOwner(),
        store,
        machineOf: async (source: Json) => machineIn(graphs, source),
      }
      return (await importThreads(ports, await parseArchive(lines), as)).thread
    },
    follow: signal => followRows(store, signal),
    async isSameRequest(key, request) {
      const name = hash(canonical(['request', key]))
      await store.putBlob(name, hash(canonical(request)))
      return (await store.getBlob(name)) === hash(canonical(request))
    },
  }
}

/** A breakpoint names a node that no graph of the runtime has. */
export class UnknownNode extends codedError('UnknownNode', 'unknown-node') {
  constructor({ graph, node }: Breakpoint, known: readonly string[]) {
    super(`graph '${graph}' has no node '${node}'; its nodes: ${known.join(', ') || '(none)'}`)
  }
}

/** Whether an error is an `UnknownNode`. */
export const isUnknownNode = guardOf(UnknownNode)

/** The graphs, and the graphs that they run. */
export function withNested(graphs: readonly Graph[]): readonly Graph[] {
  // A graph may contain itself. The set also visits the graphs that are added meanwhile.
  const all = new Set(graphs)
  for (const graph of all) for (const child of Object.values(graph.graphs ?? {})) all.add(child)
  return [...all]
}

/** @throws UnknownNode */
function checkNode(graphs: readonly Graph[], of: Breakpoint): void {
  const held = withNested(graphs).filter(({ machine }) => machine.id === of.graph)
  const known = new Set(held.flatMap(({ nodes }) => Object.keys(nodes)))
  if (!known.has(of.node)) throw new UnknownNode(of, [...known])
}

function countsOf(threads: readonly ThreadSummary[]): readonly ThreadCount[] {
  const kindOf = ({ graph, status, outcome }: ThreadSummary) =>
    JSON.stringify([graph, status, outcome])
  return [...Map.groupBy(threads, kindOf).values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    const { graph, status, outcome } = first
    return [{ graph, status, ...defined({ outcome }), count: group.length }]
  })
}

/** The spec of a graph, its lint findings, and the most it can spend. */
export function inspectGraph(graph: Graph) {
  const { spec, inside, recursive } = nestedGraph(graph)
  return { spec, findings: lint(spec, recursive), worstCase: worstCaseOf({ spec, inside }) }
}

const byName = (a: ThreadSummary, b: ThreadSummary): number => (a.thread < b.thread ? -1 : 1)

function isListed(each: ThreadSummary, filter: Omit<ThreadFilter, 'limit'>): boolean {
  const { graph, status, outcome, prefix = '', after } = filter
  const isEqual = (wanted: string | undefined, value: string | undefined) =>
    wanted === undefined || wanted === value
  return (
    isEqual(graph, each.graph) &&
    isEqual(status, each.status) &&
    isEqual(outcome, each.outcome) &&
    each.thread.startsWith(prefix) &&
    (after === undefined || each.thread > after)
  )
}

/** An archive comes from outside: it must not name modules to load. */
function machineIn(graphs: readonly Graph[], source: Json) {
  const text = canonical(source)
  const held = withNested(graphs).find(graph => canonical(graph.source) === text)
  if (held) return held.machine
  throw new BoundElsewhere('a graph of the archive')
}
