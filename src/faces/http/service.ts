/** The service as a process: `escapement serve` listens, drives due threads, and shuts down without losing a turn. */
import { randomBytes } from 'node:crypto'
import { VERSION } from '../../core/watch/parts.ts'
import { traceThreads } from '../../adapters/telemetry/spans.ts'
import { nodeOwner } from '../../adapters/node/ports.ts'
import { createLog, type Log, type LogLevel, logRows } from '../../adapters/telemetry/log.ts'
import type { Observed } from '../../host/drive/changes.ts'
import { thrownText } from '../../core/watch/failure/thrown-text.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { Runtime } from '../../host/runtime.ts'
import type { AccessOptions } from './access/access.ts'
import type { LogLine } from './app-options.ts'
import { createApp } from './app.ts'
import { listen } from './listen.ts'

export interface ServiceOptions extends Pick<AccessOptions, 'keys' | 'hosts' | 'origins'> {
  readonly host: string
  readonly port: number
  /** Ends the service: its threads are left, and can be resumed. */
  readonly signal: AbortSignal
  /** How long turns in progress may take to end, in ms. */
  readonly drain: number
  /** Ends the drain: turns in progress are left at once. */
  readonly hurried?: AbortSignal
  readonly logLevel: LogLevel
  /** Writes a line of the log. */
  readonly writeLog: (line: string) => void
  /** Whether MCP clients may change threads. */
  readonly allowWrites?: boolean
  /** Called with the address once the service listens. `token`: the one-time token of a browser session. */
  readonly listening: (url: string, token: string) => void
}

/** Serves until the signal is aborted. */
export async function serveRuntime(runtime: Runtime, options: ServiceOptions): Promise<void> {
  const {
    host,
    port,
    signal,
    drain,
    hurried,
    listening,
    keys,
    hosts,
    origins,
    allowWrites = false,
  } = options
  const log = createLog({ level: options.logLevel, write: options.writeLog, ...nodeOwner() })
  const token = randomBytes(24).toString('base64url')
  const access = { token, ...defined({ keys, hosts, origins }) }
  const app = createApp(runtime, {
    ...access,
    signal,
    mcp: { allowWrites },
    inspector: true,
    log: line => logRequest(log, line),
  })
  const { url, close } = await listen(app.fetch, { host, port })
  const ends = [traceThreads(runtime), runtime.observe(update => logNews(log, runtime, update))]
  log.info('listening', { url, version: VERSION, graphs: runtime.graphs.map(idOf) })
  listening(url, token)
  const onError = (error: unknown, thread?: string) =>
    log.error('drive failed', { thread, error: thrownText(error) })
  const working = runtime.work({ onError })
  const aborted = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => aborted.resolve(), { once: true })
  if (signal.aborted) aborted.resolve()
  try {
    await Promise.race([aborted.promise, working])
  } finally {
    log.info('draining', { ms: drain })
    hurried?.addEventListener('abort', () => void runtime.close(), { once: true })
    // A command can still be answered while turns end.
    await runtime.close({ drain: hurried?.aborted ? 0 : drain })
    await close()
    for (const end of ends) end()
    log.info('closed')
  }
  await working
}

const idOf = ({ machine }: { readonly machine: { readonly id: string } }): string => machine.id

function logNews(log: Log, runtime: Runtime, update: Observed): void {
  if (update.kind === 'rows') logRows(log, update)
  // A store that cannot be read now is reported by the work of the service.
  if (update.kind === 'breaker') logBreaker(log, runtime, update.resource).catch(() => {})
  if (update.kind !== 'stuck') return
  const { thread, graph, reason } = update
  log.warn('stuck', { thread, graph, code: reason.code, because: explain(reason) })
}

/** A process has changed the state of a breaker. The store has the state. */
async function logBreaker(log: Log, runtime: Runtime, resource: string): Promise<void> {
  const breaker = (await runtime.breakers()).find(each => each.resource === resource)
  if (!breaker) return
  const { state } = breaker
  log[state === 'open' ? 'warn' : 'info']('breaker changed', { resource, state })
}

/** A line of the audit log, or an error of the service. */
function logRequest(log: Log, { at: _, ...line }: LogLine): void {
  if (line.error === undefined) log.info('command', line)
  else log.error('request failed', line)
}
