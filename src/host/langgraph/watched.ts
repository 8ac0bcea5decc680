/** Runs an existing LangGraph graph under the watchdog: a loop leaves by another edge of the graph. */
import { END, isCommand, type LangGraphRunnableConfig } from '@langchain/langgraph'
import type { Row } from '../../core/run/run.ts'
import { type CompiledLike, fromLangGraph, type ReadingPolicy } from './from-langgraph.ts'
import { NodeWatch } from './node-watch.ts'
import { rewire } from './rewire.ts'

/** Options of `watched`. */
export interface WatchedOptions {
  /** Overrides of the policy, in spec notation. */
  readonly policy?: ReadingPolicy
  /** Receives each event with its findings and verdict. `thread` is the `thread_id`, or empty. */
  readonly onRow?: (row: Row, thread: string) => void
  /** Default: the system clock. */
  readonly now?: () => number
}

type Stream = (input: unknown, options?: LangGraphRunnableConfig) => Promise<unknown>

/** The watch of an invocation, in its `configurable`. */
const WATCH = 'escapement_watch'

/** The invocations whose watches are remembered for their resumption. */
const THREADS_MAX = 1_000

/**
 * The same graph under the watchdog. After a loop, the router or `Command` that would continue it leads to another target of the
 * routers in the loop, the least recently tried first, and to `END` once these are spent. It judges the state after each choice: the
 * values, and the latest item of each list. It follows one path: nodes that run side by side, and `Send`, are left alone.
 * @example const agent = watched(compiled, { policy: { detect: { recurrence: { times: 3 } } } })
 */
export function watched<G extends CompiledLike>(compiled: G, options: WatchedOptions = {}): G {
  const { policy, onRow, now = Date.now } = options
  const reading = fromLangGraph(compiled, policy)
  const nodeOf = new Map(
    [...Object.keys(compiled.builder.nodes), END].map(node => [reading.stateOf(node), node]),
  )
  const result = rewire(compiled, ({ from, to, state, config }) => {
    const watch = config?.configurable?.[WATCH] as NodeWatch | undefined
    const next = watch?.choose(reading.stateOf(from), reading.stateOf(to), state)
    return watch ? (nodeOf.get(next ?? '') ?? END) : to
  })
  const watches = new Map<string, NodeWatch>()
  const stream = result.stream.bind(result) as Stream
  const watchedStream: Stream = (input, config = {}) => {
    const thread = String(config.configurable?.thread_id ?? '')
    // After a restart of the process, the watch of a thread starts again.
    const known = input === null || isCommand(input) ? watches.get(thread) : undefined
    const watch = known ?? new NodeWatch({ reading, now, onRow: row => onRow?.(row, thread) })
    remember(watches, thread, watch)
    const configurable = { ...config.configurable, [WATCH]: watch }
    return stream(input, { ...config, configurable })
  }
  return Object.assign(result, { stream: watchedStream })
}

function remember(watches: Map<string, NodeWatch>, thread: string, watch: NodeWatch): void {
  watches.delete(thread)
  watches.set(thread, watch)
  const [oldest] = watches.keys()
  if (watches.size > THREADS_MAX && oldest !== undefined) watches.delete(oldest)
}
