/** `escapement sim proxy`: faults for agents that are not graphs, between them and their model and tools. */
import { escapeControls, oneLine } from '../../../core/watch/data/invisible.ts'
import { once } from 'node:events'
import { WriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { openOutput } from '../../../adapters/pipe.ts'
import { systemClock } from '../../../adapters/node/ports.ts'
import { durationText } from '../../../core/watch/data/duration.ts'
import { defined } from '../../../core/watch/data/json.ts'
import { loadProxyScenario } from '../../../host/simulation/load-scenario.ts'
import { LineTooLong, relayStdio } from '../../../host/simulation/stdio-proxy.ts'
import type { TapeEntry } from '../../../simulate/inject/call.ts'
import { faultsOfSeed } from '../../../simulate/inject/decide.ts'
import { Injector } from '../../../simulate/inject/injector.ts'
import { McpFaults } from '../../../simulate/proxy/mcp-faults.ts'
import type { TargetKind } from '../../../simulate/scenario/fault.ts'
import type { Scenario } from '../../../simulate/scenario/scenario.ts'
import { type App, EXIT, parsePort, parseWholeNumber, untilServed, UsageError } from '../app/app.ts'

interface ProxyOptions {
  readonly model?: string
  readonly mcp?: string
  readonly port: string
  readonly seed?: string
  readonly tape?: string
  readonly json?: boolean
}

/** Relays until it is stopped, or until the server that it started ends. */
export async function proxy(
  app: App,
  file: string,
  command: readonly string[],
  options: ProxyOptions,
): Promise<number> {
  const { mcp, model } = options
  const port = parsePort(options.port)
  const seed = options.seed === undefined ? 1 : parseWholeNumber('--seed', options.seed)
  const isStdio = command.length > 0
  if (isStdio === (model !== undefined || mcp !== undefined))
    throw new UsageError('expected --model URL, --mcp URL or both, or the command of a server', {
      hint: 'escapement sim proxy storm.scenario.yaml -- node server.js',
    })
  const urls = defined({ model: urlIn('--model', model), mcp: urlIn('--mcp', mcp) })
  const scenario = await loadProxyScenario(file)
  const served: TargetKind[] = isStdio ? ['tool'] : targetsOf(urls)
  noteUnserved(app, scenario, served)
  const tape = await tapeTo(app, { ...options, isStdio })
  const injector = new Injector({
    decide: faultsOfSeed(scenario, seed),
    clock: systemClock,
    seed,
    onInject: tape.write,
  })
  try {
    if (isStdio) {
      const code = await relay(app, command, new McpFaults(injector))
      noteUnused(app, scenario, injector)
      return code
    }
    const served = app.proxy({
      ...urls,
      injector,
      port,
      signal: AbortSignal.any([app.signal, app.leave]),
      listening: url => announce(app, addressesOf(url, urls), options),
    })
    await untilServed({ port }, served)
    noteUnused(app, scenario, injector)
    return EXIT.goal
  } finally {
    await tape.end()
  }
}

type Urls = Readonly<{ model?: string; mcp?: string }>

/** @throws UsageError */
function urlIn(option: string, text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)))
    return text
  throw new UsageError(`${option} '${text}': expected a URL such as http://127.0.0.1:8080/v1`)
}

const targetsOf = ({ model, mcp }: Urls): TargetKind[] => [
  ...(model === undefined ? [] : (['model'] as const)),
  ...(mcp === undefined ? [] : (['tool'] as const)),
]

const addressesOf = (url: string, { model, mcp }: Urls) =>
  defined({
    model: model === undefined ? undefined : `${url}/v1`,
    mcp: mcp === undefined ? undefined : `${url}/mcp`,
  })

function announce(app: App, addresses: Urls, { json }: ProxyOptions): void {
  if (json) app.out(`${JSON.stringify(addresses)}\n`)
  else
    for (const [name, address] of Object.entries(addresses))
      app.out(`${name === 'mcp' ? 'tools' : 'model'}  ${address}\n`)
}

function noteUnserved(app: App, { faults }: Scenario, served: readonly TargetKind[]): void {
  for (const { id, on } of faults)
    if (!served.includes(on.kind))
      app.err(`fault '${id}' is on a ${on.kind}, which this proxy does not serve\n`)
}

/** A fault that never occurred has tested nothing. */
function noteUnused(app: App, { faults }: Scenario, { times }: Injector): void {
  const unused = faults.filter(({ id }) => !times[id]).map(({ id }) => id)
  if (unused.length > 0) app.err(`never occurred: ${unused.join(', ')}\n`)
}

async function relay(app: App, command: readonly string[], faults: McpFaults): Promise<number> {
  const signal = AbortSignal.any([app.signal, app.leave])
  const output = (line: string) => process.stdout.write(`${line}\n`)
  try {
    const code = await relayStdio({ faults, command, input: process.stdin, output, signal })
    return code === 0 ? EXIT.goal : EXIT.ended
  } catch (error) {
    if (error instanceof LineTooLong) throw new UsageError(`${command[0]}: ${error.message}`)
    const { code, message } = error as { code?: string; message: string }
    throw new UsageError(`${command[0]}: cannot be started: ${code ?? message}`)
  }
}

interface Tape {
  readonly write: (entry: TapeEntry) => void
  /** @throws UsageError if the file could not be written: the relay has gone on without it */
  readonly end: () => Promise<void>
}

/** Where injected effects are printed: over stdio, the results belong to the protocol. */
async function tapeTo(
  app: App,
  { json, tape, isStdio }: ProxyOptions & { readonly isStdio: boolean },
): Promise<Tape> {
  const print = isStdio ? app.err : app.out
  const file = tape === undefined ? undefined : await open(app, tape)
  let fault: UsageError | undefined
  file?.on('error', cause => {
    fault ??= unwritable(tape, cause)
  })
  return {
    write({ node: _, ...entry }) {
      const line = escapeControls(`${JSON.stringify(entry)}\n`)
      if (!fault) file?.write(line)
      print(json ? line : `${oneLine(textOf(entry))}\n`)
    },
    end: async () => {
      if (file && !fault) await new Promise<void>(resolve => file.end(() => resolve()))
      if (fault) throw fault
    },
  }
}

const unwritable = (file = '', cause: unknown) =>
  new UsageError(`--tape ${file}: cannot be written: ${(cause as Error).message}`, { cause })

const textOf = ({ at, target, index, fault, effect }: Omit<TapeEntry, 'node'>): string =>
  `${durationText(at)}  ${target} call ${index}  ${fault}: ${JSON.stringify(effect)}`

/** @throws UsageError */
async function open(app: App, file: string): Promise<Writable> {
  const signal = AbortSignal.any([app.signal, app.leave])
  try {
    const stream = await openOutput(file, { signal })
    if (stream instanceof WriteStream) await once(stream, 'open')
    return stream
  } catch (error) {
    signal.throwIfAborted()
    throw unwritable(file, error)
  }
}
