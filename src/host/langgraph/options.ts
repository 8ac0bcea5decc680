/** The options of `toLangGraph`, and the graphs that it refuses without a store. */
import type { BaseCheckpointSaver, LangGraphRunnableConfig } from '@langchain/langgraph'
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import type { ForkEffects } from '../../core/watch/event/event.ts'
import type { NodePorts } from '../../adapters/node/ports.ts'
import type { Graph } from '../../runtime/ports.ts'
import type { Store } from '../../runtime/store/store.ts'
import type { PortsOf } from '../drive/host-parts.ts'

/** How a graph runs inside LangGraph. */
export interface LangGraphOptions extends Pick<NodePorts, 'clock' | 'gate' | 'notifiers'> {
  /**
   * Keeps the journal of each thread and commits before every effect. The LangGraph state then only names the thread. Absent: the
   * journal is part of the LangGraph state.
   */
  readonly store?: Store
  /** Keeps the LangGraph state. Questions need one. A subgraph uses that of the graph around it. */
  readonly checkpointer?: BaseCheckpointSaver
  /** What a fork may do that starts from an earlier LangGraph checkpoint. Default: such forks are rejected. Needs a store. */
  readonly forks?: ForkEffects
  /** The random seed of new threads. Default: a random one. */
  readonly seed?: number
}

/** What the supersteps of a graph share. */
export interface SuperstepParts {
  readonly graph: Graph
  readonly options: LangGraphOptions
  readonly portsOf: PortsOf
  /** The LangGraph node of a state. */
  readonly nodeOf: (state: string) => string
}

/** The graph cannot run in LangGraph without a store: a crash would repeat its writes or lose its child threads. */
export class NeedsStore extends codedError('NeedsStore', 'needs-store') {}

/** Whether an error is a `NeedsStore`. */
export const isNeedsStore = guardOf(NeedsStore)

/**
 * LangGraph repeats an interrupted node from its beginning. Only a store records which calls were made before.
 * @throws NeedsStore
 */
export function checkRepeatable({ machine, tools, graphs = {} }: Graph): void {
  const graph = `graph '${machine.id}'`
  const unsafe = Object.values(tools).filter(tool => tool.effects === 'write' && !tool.idempotent)
  if (unsafe.length > 0)
    throw new NeedsStore(
      `${graph}: ${unsafe.map(({ name }) => `tools.${name}`).join(', ')} can write and is not idempotent, and without a store LangGraph repeats a node after a crash; pass a store, or declare \`idempotent: true\` where the tool honors its idempotency key`,
    )
  const nested = Object.keys(graphs)
  if (nested.length > 0)
    throw new NeedsStore(
      `${graph}: the graphs ${nested.join(', ')} run as threads of their own, which need a store; pass a store`,
    )
}

/**
 * Without a store, the checkpoints hold the journal: each superstep is stored before the next one starts.
 * @throws TypeError for another durability than `sync`
 */
export function checkDurability(config: LangGraphRunnableConfig & { durability?: string }): void {
  const { durability = 'sync' } = config
  if (durability !== 'sync')
    throw new TypeError(
      `durability: expected 'sync', not '${durability}': without a store, the checkpoints of LangGraph hold the journal; leave the option out, or pass a store to toLangGraph`,
    )
}
