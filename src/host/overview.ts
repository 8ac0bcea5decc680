/** What a service shows of all threads of a runtime: lists, open questions, breakers and scopes. */
import { setImmediate } from 'node:timers/promises'
import { conditionOf } from '../core/run/condition.ts'
import type { Breakpoint, NodeBreakpoint } from '../core/run/control.ts'
import { releaseScope, type ScopeStanding, standingsOf } from '../core/watch/budget/scope.ts'
import { lint } from '../core/graph/lint/lint.ts'
import { worstCaseOf } from '../core/graph/worst-case/worst-case.ts'
import { ENDINGS } from '../core/run/run.ts'
import { FINDING_KINDS } from '../core/watch/event/event.ts'
import { codedError, guardOf } from '../core/watch/data/fault.ts'
import { canonical, defined, hash, type Json } from '../core/watch/data/json.ts'
import { type Breaker, CLOSED, tripBreaker } from '../core/watch/failure/breaker.ts'
import { nodeOwner } from '../adapters/node/ports.ts'
import { nestedGraphs } from '../runtime/child/nested-graphs.ts'
import { importThreads } from '../runtime/drive/copy.ts'
import type { Clock, Graph } from '../runtime/ports.ts'
import { resourceOf } from '../runtime/gate/gate.ts'
import { nameOfValue } from '../runtime/store/value-name.ts'
import { parseArchive } from '../runtime/store/archive-parser.ts'
import { type QueryLimits, type QueryResult, queryIn } from '../runtime/store/query/query.ts'
import type { ScopeKey, ThreadQuery } from '../runtime/store/store.ts'
import type { TallyCount, TallyQuery, ThreadCount } from '../runtime/store/tally.ts'
import { type AnsweredQuestion, Answers } from './answered.ts'
import type { Host } from './drive/host.ts'
import { BoundElsewhere, nestedGraph } from './drive/load.ts'
import { listingOf, type ThreadListing } from './thread/listing.ts'
import { followRows, type ThreadRow } from './follow-rows.ts'
import { type QuestionState, stateOf } from './thread/thread.ts'

/** Threads in the order of the query. `next` continues a list by name as `after`. */
export type ThreadPage = Readonly<{ threads: readonly ThreadListing[]; next?: string }>

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
  /** `limit`: default 50. @throws TypeError for an unknown finding or outcome, and for `after` with `order` */
  threads(query?: ThreadQuery): Promise<ThreadPage>
  /** How many threads have each graph, status and outcome. */
  threadCounts(): Promise<readonly ThreadCount[]>
  /** How many threads have each graph, status, outcome and finding, the most frequent first, at most 1,000. */
  tallies(query?: TallyQuery): Promise<readonly TallyCount[]>
  /** The open questions of the threads whose deadlines come first, earliest deadline first. `limit`: the number of threads (default: 200). */
  questions(query?: Pick<ThreadQuery, 'prefix' | 'limit'>): Promise<readonly InboxQuestion[]>
  /** The latest answers to questions, latest first, from the last 500 events of the 200 threads that changed last. `limit`: default 50. */
  answered(query?: Pick<ThreadQuery, 'prefix' | 'limit'>): Promise<readonly AnsweredQuestion[]>
  breakers(): Promise<readonly NamedBreaker[]>
  /** Changes a breaker for all processes of the store. `ms`: how long it stays open (default: one hour). @throws UnknownBreaker */
  changeBreaker(resource: string, change: BreakerChange, ms?: number): Promise<NamedBreaker>
  breakpoints(): Promise<readonly Breakpoint[]>
  /**
   * Sets or clears a breakpoint: threads of the graph pause before they enter the node, or after an event that makes `when` true.
   * @throws UnknownGraph, UnknownNode, InvalidCondition, TypeError without exactly one of `node` and `when`
   */
  changeBreakpoint(of: Breakpoint, change?: BreakpointChange): Promise<void>
  scopes(): Promise<readonly ScopeStanding[]>
  /** Resets a scope. Returns `false` for an unknown one. */
  releaseScope(of: ScopeKey): Promise<boolean>
  /** Reads the store by one `SELECT` of the tables for queries. @throws InvalidQuery, QueryStopped */
  query(sql: string, limits?: QueryLimits): Promise<QueryResult>
  /** Imports the lines of an archive. Only threads of the graphs of this runtime. Returns the name of the thread. @throws BadArchive, ThreadExists, ReservedName */
  importThread(lines: AsyncIterable<string>, as?: string): Promise<string>
  /** The rows of all threads, stored from now on by any process, in order for each thread. Ends with the signal. */
  follow(signal: AbortSignal): AsyncIterable<readonly ThreadRow[]>
  /** Whether a request equals the first one with this key. Keys stay in the store. */
  isSameRequest(key: string, request: Json): Promise<boolean>
  /** Keeps the name of a request that an existing thread answers: it has no effect again, also after the thread is pruned. `false`: the thread is missing. */
  join(thread: string, once: string): Promise<boolean>
}

const LIMIT = 50
const QUESTIONS = 200
const HOUR = 3_600_000

export function overviewOf(host: Host, graphs: readonly Graph[], clock: Clock): Overview {
  const { store } = host
  const answers = new Answers(host)
  return {
    graphs,
    async threads({ limit = LIMIT, ...query } = {}) {
      checkQuery(query)
      const isByName = query.order === undefined
      // One more than the page: another page follows.
      const found = await store.page({ ...query, limit: limit + 1 })
      const threads = found.slice(0, limit)
      return {
        threads: threads.map(listingOf),
        ...defined({ next: isByName && found.length > limit ? threads.at(-1)?.thread : undefined }),
      }
    },
    threadCounts: () => store.counts(),
    tallies: query => store.tallies(query),
    questions: (query = {}) => openQuestions(host, query),
    answered: query => answers.list(query),
    async breakers() {
      const known = [...(await store.breakers())]
      return known.map(([resource, breaker]) => ({ resource, ...breaker }))
    },
    async changeBreaker(resource, change, ms = HOUR) {
      if (!(ms >= 0)) throw new TypeError(`expected a number of ms, 0 or more, received ${ms}`)
      if (!(await store.breakers()).has(resource)) checkResource(graphs, resource)
      const [, after] = await store.changeBreaker(resource, before => {
        if (change === 'close' || change === 'auto') return CLOSED
        return tripBreaker(before, clock.now(), change === 'half-open' ? 0 : ms)
      })
      return { resource, ...after }
    },
    breakpoints: () => store.breakpoints(),
    async changeBreakpoint(of, change = 'set') {
      if (change === 'set') checkBreakpoint(graphs, of)
      await store.changeBreakpoint(of, change === 'set')
      host.wake()
    },
    scopes: async () => standingsOf(await store.shares(), clock.now()),
    async releaseScope(of) {
      const known = await store.shares(of)
      if (known.length > 0) await store.changeShares(of, releaseScope)
      return known.length > 0
    },
    query: (sql, limits) => queryIn(store, sql, limits),
    async importThread(lines, as) {
      const ports = {
        ...nodeOwner(),
        store,
        machineOf: async (source: Json) => machineIn(graphs, source),
        pause: setImmediate,
        signal: host.closing,
      }
      return (await importThreads(ports, await parseArchive(lines, ports.pause), as)).thread
    },
    follow: signal => followRows(store, signal),
    join: (thread, once) => store.join(thread, once),
    async isSameRequest(key, request) {
      // Earlier versions named requests by a short hash.
      const known = await store.getBlob(hash(canonical(['request', key])))
      if (typeof known === 'string') return known === hash(canonical(request))
      const name = nameOfValue('request', key)
      const value = nameOfValue('request', request)
      await store.putBlob(name, value)
      return (await store.getBlob(name)) === value
    },
  }
}

/** A breakpoint names a node that no graph of this id performs. A node that asks a person waits anyway. */
export class UnknownNode extends codedError('UnknownNode', 'unknown-node') {
  constructor({ graph, node }: NodeBreakpoint, known: readonly string[]) {
    super(`graph '${graph}' performs no node '${node}'; its nodes: ${known.join(', ') || '(none)'}`)
  }
}

/** Whether an error is an `UnknownNode`. */
export const isUnknownNode = guardOf(UnknownNode)

/** A breakpoint names a graph that the runtime does not hold. */
export class UnknownGraph extends codedError('UnknownGraph', 'unknown-graph') {
  constructor(graph: string, known: readonly string[]) {
    super(`graph '${graph}' is unknown; known graphs: ${known.join(', ') || '(none)'}`)
  }
}

/** Whether an error is an `UnknownGraph`. */
export const isUnknownGraph = guardOf(UnknownGraph)

/** @throws TypeError */
function checkQuery({ finding = 'any', outcome, after, order }: ThreadQuery): void {
  if (outcome !== undefined && !ENDINGS.includes(outcome))
    throw new TypeError(`outcome: expected one of ${ENDINGS.join(', ')}`)
  if (finding !== 'any' && !FINDING_KINDS.includes(finding))
    throw new TypeError(`finding: expected one of any, ${FINDING_KINDS.join(', ')}`)
  if (after !== undefined && order !== undefined)
    throw new TypeError('after: continues a list by name; expected no `order`')
}

/** @throws UnknownGraph, UnknownNode, InvalidCondition, TypeError */
function checkBreakpoint(graphs: readonly Graph[], of: Breakpoint): void {
  if ((of.node === undefined) === (of.when === undefined))
    throw new TypeError('breakpoint: expected either node or when')
  const all = nestedGraphs(graphs)
  const held = all.filter(({ machine }) => machine.id === of.graph)
  if (held.length === 0)
    throw new UnknownGraph(of.graph, [...new Set(all.map(({ machine }) => machine.id))])
  if (of.when !== undefined) return void conditionOf(of.when)
  const known = new Set(held.flatMap(({ nodes }) => Object.keys(nodes)))
  if (!known.has(of.node)) throw new UnknownNode(of, [...known])
}

/** The breaker belongs to no tool or model of the runtime's graphs. */
export class UnknownBreaker extends codedError('UnknownBreaker', 'unknown-breaker') {
  constructor(resource: string, known: readonly string[]) {
    super(
      `the breaker '${resource}' does not exist; known breakers: ${known.join(', ') || '(none)'}`,
    )
  }
}

/** Whether an error is an `UnknownBreaker`. */
export const isUnknownBreaker = guardOf(UnknownBreaker)

/** @throws UnknownBreaker */
function checkResource(graphs: readonly Graph[], resource: string): void {
  const known = nestedGraphs(graphs).flatMap(({ machine, tools, models }) => [
    ...Object.keys(tools).map(name => resourceOf(machine.id, `tool:${name}`)),
    ...Object.keys(models).map(name => resourceOf(machine.id, `model:${name}`)),
  ])
  if (!known.includes(resource)) throw new UnknownBreaker(resource, known)
}

const rank = (time: number | undefined): number => time ?? Number.POSITIVE_INFINITY

/** A waiting thread is due at its first deadline. The states are read one by one: each is a journal. */
async function openQuestions(
  host: Host,
  { prefix, limit = QUESTIONS }: Pick<ThreadQuery, 'prefix' | 'limit'>,
): Promise<readonly InboxQuestion[]> {
  const waiting = await host.store.page({ status: 'waiting', ...defined({ prefix }) })
  const first = waiting
    .filter(each => host.owns(each))
    .toSorted((a, b) => compare(rank(a.wakeAt), rank(b.wakeAt)))
    .slice(0, limit)
  const found: InboxQuestion[] = []
  for (const { thread, graph } of first) {
    const { questions } = await stateOf(host, thread)
    // The thread of a child lists the question of the child.
    const own = questions.filter(question => question.thread === undefined)
    found.push(...own.map(question => ({ ...question, thread, graph })))
  }
  return found.toSorted((a, b) => compare(rank(a.deadline), rank(b.deadline)))
}

/** Infinite times are equal. */
const compare = (a: number, b: number): number => (a < b ? -1 : Number(a > b))

/** The spec of a graph, its lint findings, and the most it can spend. */
export function inspectGraph(graph: Graph) {
  const nested = nestedGraph(graph)
  return { spec: nested.spec, findings: lint(nested.spec, nested), worstCase: worstCaseOf(nested) }
}

/** An archive comes from outside: it must not name modules to load. */
function machineIn(graphs: readonly Graph[], source: Json) {
  const text = canonical(source)
  const held = nestedGraphs(graphs).find(graph => canonical(graph.source) === text)
  if (held) return held.machine
  throw new BoundElsewhere('a graph of the archive')
}
