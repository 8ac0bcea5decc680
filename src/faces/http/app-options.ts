/** The options of a service that a program mounts. */
import type { AccessOptions } from './access/access.ts'
import type { LimitOptions } from './access/limits.ts'
import type { McpOptions } from './protocols/mcp/mcp.ts'
import type { BatchLimits } from './stream/batches.ts'

/** A line of the log: a command with its author and its result, or an error of the service. */
export type LogLine = Readonly<Record<string, string | number | undefined>>

/** The options of `createApp`. */
export interface AppOptions extends AccessOptions {
  readonly limits?: LimitOptions
  readonly batches?: BatchLimits
  /** What clients of `POST /mcp` may do. Default: read. */
  readonly mcp?: McpOptions
  /** Also serves the inspector, the page at `/`. Default: no page. */
  readonly inspector?: boolean
  /** Receives the audit log: one line for each request that changes something, and each internal error. */
  readonly log?: (line: LogLine) => void
  /** Ends all streams. */
  readonly signal?: AbortSignal
}

/** A new option is missing here until it is added: the type says so. */
const KNOWN: Readonly<Record<keyof AppOptions, true>> = {
  ...{ keys: true, token: true, anonymous: true, hosts: true, origins: true, limits: true },
  ...{ batches: true, mcp: true, inspector: true, log: true, signal: true },
}

export const APP_OPTIONS: readonly string[] = Object.keys(KNOWN)
