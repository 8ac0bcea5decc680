/** What the command line is given by `main`: it constructs neither stores nor graphs. */
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import type { Nested } from '../../core/graph/worst-case.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import type { Trace } from '../../core/watch/normalize/act.ts'
import type { Json } from '../../core/watch/json.ts'
import type { Graph, Live, Ports } from '../../runtime/ports.ts'
import type { Store } from '../../runtime/store/store.ts'
import type { TraceFormat } from './choices.ts'
import type { Terminal } from './terminal.ts'

export interface App extends Terminal {
  /** Aborted when the user interrupts: what runs is cancelled. */
  readonly signal: AbortSignal
  /** Aborted when the process is to go: what runs is left for another one. */
  readonly leave: AbortSignal
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly random: () => number
  readonly now: () => number
  /** Ms since some moment, in fractions, for measuring. */
  readonly elapsed: () => number
  /** Whether whoever drives under this name is surely gone. */
  readonly isOwnerDead: (owner: string) => boolean
  /** Reads a spec; `settings` are `path=value`. @throws SpecFaults */
  readonly load: (file: string, settings: readonly string[]) => Promise<LoadedSpec>
  readonly bind: (loaded: LoadedSpec, workspace: string) => Promise<Graph>
  /** The graph of a stored thread, from what was kept when it started. */
  readonly revive: (source: Json) => Promise<Graph>
  /** Its machine alone: enough to look at a thread, whatever has become of its workers. */
  readonly machine: (source: Json) => Promise<AgentMachine>
  /** A change of a policy, from `path=value` and a file. @throws SpecFaults */
  readonly change: (settings: readonly string[], file: string | undefined) => Promise<Json>
  readonly openStore: (file: string) => Promise<Store>
  readonly ports: (parts: PortParts) => Promise<Ports>
  /** Writes an archive, whole or not at all. @throws BadArchive */
  readonly writeArchive: (file: string, lines: AsyncIterable<string>) => Promise<void>
  /** The lines of an archive. @throws BadArchive */
  readonly readArchive: (file: string) => AsyncIterable<string>
  /** `undefined`: there is nothing by that name. */
  readonly isFolder: (path: string) => Promise<boolean | undefined>
  readonly readText: (file: string) => Promise<string>
  /** Writes a text file, whole or not at all. */
  readonly writeText: (
    file: string,
    lines: AsyncIterable<string>,
    read?: readonly string[],
  ) => Promise<void>
  /** The recorded traces of a file, read one at a time. @throws InvalidTrace; the abort of the signal */
  readonly traces: (file: string, reading: ReadOptions) => AsyncIterable<RecordedTrace>
  /** Waits `ms` on the wall clock. */
  readonly pause: (ms: number) => Promise<void>
}

/** How a file of traces is read, and what is to be known of it meanwhile. */
export interface ReadOptions {
  /** Unless the file shows it itself. */
  readonly format?: TraceFormat
  readonly signal: AbortSignal
  /** Called with the bytes of each piece that was read. */
  readonly read: (bytes: number) => void
  /** Called with the kind of each event that was passed over, because it is not known. */
  readonly passed: (kind: string) => void
}

export interface RecordedTrace extends Trace {
  /** The numbers of its events that are no acts, so that all others keep theirs. */
  readonly gaps?: readonly number[]
}

export interface LoadedSpec {
  readonly file: string
  readonly spec: Spec
  /** The files of the graphs that it runs, by their paths. */
  readonly library: Readonly<Record<string, Spec>>
  /** The names of the graphs by which it is run again. */
  readonly recursive: ReadonlySet<string>
  /** The graphs it runs, with those that they run. */
  readonly inside: Nested['inside']
}

export interface PortParts {
  readonly graph: Graph
  readonly store: Store
  readonly clock: 'system' | 'virtual'
  /** Where a virtual clock begins, in ms. */
  readonly from?: number
  /** To be repeated exactly: what other threads met at the gate must not change it. */
  readonly seeded?: boolean
  /** Takes messages for whoever sits there. */
  readonly say?: (line: string) => void
  readonly live?: (news: Live) => void
}

/** A mistake of the user, exit code 2; `hint` is the command or the edit that mends it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly hint: string | undefined
  constructor(
    message: string,
    { hint, ...options }: ErrorOptions & { readonly hint?: string } = {},
  ) {
    super(message, options)
    this.hint = hint
  }
}
