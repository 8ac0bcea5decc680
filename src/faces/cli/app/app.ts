/** What `main` passes to the command line, and the values of options: parsed and checked. */
import { openText } from '../../../adapters/pipe.ts'
import type { ReadOptions, readTraces } from '../../../adapters/trace/traces.ts'
import type { Runtime } from '../../../host/runtime.ts'
import type { Run } from '../../../core/run/run.ts'
import type { Injector } from '../../../simulate/inject/injector.ts'
import { OutputClosed, type Terminal } from './terminal.ts'
import { stat } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { spanIn } from '../../../core/watch/data/duration.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { type Spent, SPENDABLE } from '../../../core/watch/event/call-event.ts'
import type { ScopeKey } from '../../../runtime/store/store.ts'

/** The terminal, the signals, and the environment of a command. */
export interface App extends Terminal {
  /** Aborted when the user interrupts. The command cancels what it runs. */
  readonly signal: AbortSignal
  /** Aborted when the process must exit. Another process can continue what this one ran. */
  readonly leave: AbortSignal
  /** Has the process ignore signals for this time in ms while it leaves. The signal is aborted when the user does not want to wait. */
  readonly drainsFor: (ms: number) => AbortSignal
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A monotonic time in ms, with fractions. */
  readonly elapsed: () => number
  readonly traces: typeof readTraces
  /** Serves a runtime over HTTP until the signal is aborted. */
  readonly serve: (runtime: Runtime, options: ServiceSettings) => Promise<void>
  /** Serves a proxy with faults on loopback until the signal is aborted. */
  readonly proxy: (options: ProxySettings) => Promise<void>
}

/** The terms of a proxy. */
export interface ProxySettings {
  readonly injector: Injector
  readonly model?: string
  readonly mcp?: string
  readonly port: number
  readonly signal: AbortSignal
  readonly listening: (url: string) => void
}

/** The terms of a service. */
export interface ServiceSettings {
  readonly allowWrites: boolean
  readonly host: string
  readonly port: number
  readonly keys: readonly ServiceKey[]
  readonly hosts?: readonly string[]
  readonly signal: AbortSignal
  readonly drain: number
  readonly hurried: AbortSignal
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly writeLog: (line: string) => void
  readonly listening: (url: string, token: string) => void
}

/** An API key of the service. */
export interface ServiceKey {
  readonly name: string
  readonly role: 'view' | 'operate' | 'admin'
  readonly hash: string
  readonly threads?: string
  readonly keys?: Readonly<Record<string, string>>
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export const TRACE_FORMATS = ['trace', 'langgraph', 'openai', 'ai-sdk', 'otel'] as const
export type TraceFormat = NonNullable<ReadOptions['format']>

/** A mistake of the user, exit code 2; `hint` is the command or the edit that fixes it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly hint: string | undefined
  constructor(message: string, options: ErrorOptions & { readonly hint?: string } = {}) {
    super(message, options)
    this.hint = options.hint
  }
}

/** The exit codes, as documented in docs/cli.md. */
export const EXIT = {
  goal: 0,
  ended: 1,
  usage: 2,
  waiting: 3,
  stopped: 4,
  busy: 5,
  cancelled: 130,
  terminated: 143,
} as const

/** The process left a thread, whose state is stored. `hint` is the command that continues it. */
export class ThreadLeft extends Error {
  override readonly name = 'ThreadLeft'
  readonly hint: string
  constructor(cause: Error, hint: string) {
    super(cause.message, { cause })
    this.hint = hint
  }
}

/** The exit code of a command that ended on a signal. */
export function interruptionExit({ leave, signal }: App, error: unknown): number | undefined {
  const cause = error instanceof ThreadLeft ? error.cause : error
  if (leave.aborted && cause === leave.reason) return EXIT.terminated
  return signal.aborted && error === signal.reason ? EXIT.cancelled : undefined
}

/** The exit code of a command that only reads, ended by a signal or by the end of its reader. */
export function readingExit({ leave }: App): number {
  if (!leave.aborted) return EXIT.cancelled
  return leave.reason instanceof OutputClosed ? EXIT.goal : EXIT.terminated
}

/** The exit code of a run. A stop by a person does not count as a stop by the escape mechanism. */
export function exitOf({ ended }: Pick<Run, 'ended'>): number {
  if (!ended) return EXIT.waiting
  if (ended.outcome === 'success') return EXIT.goal
  if (ended.outcome === 'cancelled') return EXIT.cancelled
  const stopped = ended.outcome === 'stopped' && !ended.reason.startsWith('review.')
  return stopped ? EXIT.stopped : EXIT.ended
}

/** A command on a thread or a file. Returns the exit code. */
export type Perform<Options> = (app: App, subject: string, options: Options) => Promise<number>

/** Where a server listens. `host` is named in messages: the option, or a fixed address. */
type Place = Readonly<{ host?: string; port: number }>

/** Waits until a server ends. @throws UsageError if it cannot listen there */
export async function untilServed(
  { host = '127.0.0.1', port }: Place,
  served: Promise<void>,
): Promise<void> {
  try {
    await served
  } catch (cause) {
    const { code = '', syscall } = cause as NodeJS.ErrnoException
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw cause
    const fault = PORT_FAULTS[code]
    if (fault !== undefined)
      throw new UsageError(`--port ${port}: ${fault}`, { hint: 'choose another --port', cause })
    const expected = 'expected an address of this machine, such as 127.0.0.1 or ::1'
    throw new UsageError(`${host}: ${expected} (${code})`, { cause })
  }
}

const PORT_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'only a privileged user may listen on it',
  EADDRINUSE: 'already in use',
}

/** Prints a result as a line of JSON, or as blocks. */
export function printResult(
  app: App,
  { json }: { readonly json?: boolean },
  value: unknown,
  blocks: () => Parameters<App['print']>[0],
): number {
  if (json) app.out(`${JSON.stringify(value)}\n`)
  else app.print(blocks())
  return EXIT.goal
}

const INPUT_CHARACTERS_MAX = 4_194_304

/** The value of `--input`: JSON, or `@file`. */
export async function jsonInput(app: App, given: string, option = '--input'): Promise<Json> {
  const text = given.startsWith('@') ? await fileText(app, given, option) : given
  const wrong = `${option} has ${text.length} characters; the maximum is ${INPUT_CHARACTERS_MAX}`
  if (text.length > INPUT_CHARACTERS_MAX) throw new UsageError(wrong)
  return parseJson(option, text)
}

async function fileText(app: App, given: string, option: string): Promise<string> {
  const signal = AbortSignal.any([app.signal, app.leave])
  try {
    let text = ''
    for await (const chunk of await openText(given.slice(1), signal)) text += chunk
    return text
  } catch (error) {
    signal.throwIfAborted()
    const { code = '', message } = error as { code?: string; message: string }
    const known = { ENOENT: 'file not found', EISDIR: 'is a folder, not a file' }[code]
    throw new UsageError(`${option} ${given}: ${known ?? message}`)
  }
}

/** @throws UsageError */
export function parseJson(option: string, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${(error as Error).message}`)
  }
}

/** @throws UsageError */
export function parseScope(option: string, text: string): ScopeKey {
  const [, scope, key] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (scope === undefined || key === undefined)
    throw new UsageError(`${option} '${text}': expected SCOPE=KEY`)
  return { scope, key }
}

/** @throws UsageError */
export function parseWholeNumber(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`${option} expects a whole number, not '${text}'`)
  return Number(text)
}

/** The number of worker threads. @throws UsageError */
export function parseWorkers(text: string): number {
  const workers = parseWholeNumber('--workers', text)
  if (workers > 0) return workers
  throw new UsageError('--workers expects at least 1')
}

/** @throws UsageError */
export function parsePort(text: string): number {
  const port = parseWholeNumber('--port', text)
  if (port > PORT_MAX) throw new UsageError(`--port ${port}: the largest port is ${PORT_MAX}`)
  return port
}

const PORT_MAX = 65_535

/** An amount of money. @throws InvalidArgumentError */
export function parseUsd(text: string): number {
  const usd = Number(text)
  if (text.trim() === '' || !(usd >= 0) || !Number.isFinite(usd))
    throw new InvalidArgumentError('expected a number, such as 0.5.')
  return usd
}

/** @throws UsageError for an empty name of a thread */
export function checkNamed(option: '--thread' | '--as', name: string | undefined): void {
  if (name?.trim() === '') throw new UsageError(`${option} expects a name`)
}

/** @throws UsageError */
export async function checkFolder(option: string, folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory()) return
  throw new UsageError(`${option} ${folder}: ${found ? 'is not a folder' : 'folder not found'}`)
}

/** @throws InvalidArgumentError */
export function parseMax(text: string): Partial<Spent> {
  const [, name = '', amount = ''] = /^(\w+)=(.+)$/.exec(text) ?? []
  const unit = SPENDABLE.find(each => each === name)
  if (!unit)
    throw new InvalidArgumentError(`expected unit=amount, the unit one of ${SPENDABLE.join(', ')}.`)
  const isDuration = unit === 'duration'
  const value = isDuration ? (spanIn(amount) ?? Number.NaN) : Number(amount)
  if (value >= 0 && Number.isFinite(value)) return { [unit]: value }
  const expected = isDuration ? 'a duration, such as 30s or 10m' : 'a number'
  throw new InvalidArgumentError(`${unit} expects ${expected}, not '${amount}'.`)
}
