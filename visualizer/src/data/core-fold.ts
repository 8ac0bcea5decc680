/**
 * The complete state of a thread at an event, folded by the core of the runtime in the page itself. Loaded when a person first
 * asks for it: the core with its libraries is larger than the rest of the page.
 */
import type { ThreadGraph } from '../../../src/host/thread/thread-graph.ts'
import type { Row } from '../../../src/core/run/run.ts'
import type { RunModel } from './run-model.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'

/** The channels at an event, and the events that wrote them. */
export interface StateAt {
  readonly seq: number
  readonly channels: Readonly<Record<string, Json>>
  /** Each channel with the seq of the event that last wrote it. */
  readonly writtenBy: Readonly<Record<string, number>>
}

/** Whether the core can fold the thread here: its graph is a spec without code of its own, and it never moved to another. */
export function canFold({ graph: { spec }, journal }: RunModel): boolean {
  const { machine } = (spec ?? {}) as { machine?: unknown }
  return spec !== undefined && machine === undefined && !journal.hasMigrated
}

/** Keeps its place: the states of a run are read forward, or from the start again. */
export class CoreFold {
  readonly #graph: ThreadGraph
  #fold: Promise<import('./restored.ts').Fold> | undefined

  constructor(graph: ThreadGraph) {
    this.#graph = graph
  }

  /** The state after event `at`. The page stays responsive while a long journal folds. */
  async stateAt(rows: readonly Row[], at: number, signal: AbortSignal): Promise<StateAt> {
    this.#fold ??= import('./restored.ts').then(({ createFold }) => createFold(this.#graph))
    const fold = await this.#fold
    const { channels, writtenBy } = await fold.to(rows, at, signal)
    return { seq: at, channels, writtenBy }
  }
}

/** @throws InvalidCondition */
export async function searchIn(
  model: RunModel,
  expression: string,
): Promise<import('./restored.ts').Search> {
  const { createSearch } = await import('./restored.ts')
  return createSearch(canFold(model) ? model.graph : undefined, expression)
}

/** The lanes of a graph that can be folded here. */
export async function tracksIn(
  { graph }: RunModel,
  channels: readonly string[],
): Promise<import('./tracks.ts').TrackFold> {
  const { createTracks } = await import('./tracks.ts')
  return createTracks(graph, channels)
}
