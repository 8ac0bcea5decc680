#!/usr/bin/env node
/** The command `escapement`, and the composition root: ports get their implementations only here. */
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { exitExplained } from './adapters/spec/exit-guard.ts'
import type { App } from './faces/cli/app/app.ts'
import { OutputClosed, terminalOf } from './faces/cli/app/terminal.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `escapement needs Node.js 22.13 or newer; this is ${process.versions.node}. Install a newer Node.js, or run escapement through npm in a project that includes one.\n`,
  )
  process.exit(2)
}

// Of a rejection with a value that is not an error, Node.js would report a text of its own.
process.on('unhandledRejection', error => {
  if (process.listenerCount('unhandledRejection') === 1) throw error
})
// By default, Node.js would print the stack, with the secrets in the message. Rejections of forgotten promises come here, too.
process.on('uncaughtException', async error => {
  // The loader of modules has a listener of its own.
  if (process.listenerCount('uncaughtException') > 1) return
  const { uncaughtText } = await import('./faces/cli/app/uncaught.ts')
  process.stderr.write(uncaughtText(error))
  exitExplained(1)
})

const interrupted = new AbortController()
/** The time in ms in which a SIGINT sent twice does not end the process: the cancellation is stored with the next heartbeat. */
const CANCEL_MAX = 2_000
process.on('SIGINT', function interrupt() {
  interrupted.abort(new Error('interrupted by the user'))
  setTimeout(() => process.off('SIGINT', interrupt), CANCEL_MAX).unref()
})
/** The time in ms for leaving the threads, besides that of a drain. A signal sent twice must not end the process before that. */
const LEAVE_MAX = 10_000
let drain = 0
// A service that is stopped continues later: only SIGINT cancels threads.
const terminated = new AbortController()
const reason = new Error('terminated')
for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    terminated.abort(reason)
    setTimeout(() => process.removeAllListeners(signal), LEAVE_MAX + drain).unref()
  })

/** A SIGINT during a drain ends the drain. By default it would end the process, which counts as a crash of its nodes. */
function drainsFor(ms: number): AbortSignal {
  drain = ms
  const hurried = new AbortController()
  let interrupts = 0
  process.on('SIGINT', () => {
    interrupts++
    if (interrupts > 1 || terminated.signal.aborted) hurried.abort()
  })
  return hurried.signal
}

// Results that cannot be delivered end the process in order: its threads can be continued. A closed reader (`escapement export …
// | head`) is not an error.
let isUnwritable = false
function closeOutput(error: Error & { code?: string }): void {
  terminated.abort(new OutputClosed())
  if (error.code === 'EPIPE' || isUnwritable) return
  isUnwritable = true
  process.stderr.write(`escapement: the output cannot be written: ${error.message}\n`)
}
process.stdout.on('error', closeOutput)
// The log and the progress may be lost: work goes on without a reader of them.
process.stderr.on('error', () => {})

// Modules are loaded when they are needed: `--version` loads almost none.
const app: App = {
  ...terminalOf(process.stdout, process.stderr, process.env),
  signal: interrupted.signal,
  leave: terminated.signal,
  drainsFor,
  // Throws if the folder was deleted.
  get cwd() {
    return process.cwd()
  },
  environment: process.env,
  elapsed: () => performance.now(),
  serve: async (runtime, options) =>
    (await import('./faces/http/service.ts')).serveRuntime(runtime, options),
  proxy: async options => (await import('./faces/http/proxy/serve-proxy.ts')).serveProxy(options),
  traces: async function* (file, reading) {
    const { readTraces } = await import('./adapters/trace/traces.ts')
    // A reader drops each trace before the next, so nearly all memory is garbage, and the defaults of V8 let the heap grow to a
    // multiple of the live data. These flags take a third less memory, and a tenth more time.
    setFlagsFromString('--semi-space-growth-factor=1')
    setFlagsFromString('--heap-growing-percent=50')
    yield* readTraces(file, reading)
  },
}

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }
const { cli } = await import('./faces/cli/cli.ts')
const code = await cli(app, version, process.argv.slice(2))
// After all output is written, the process exits without waiting for abandoned work.
process.stdout.write('', error => {
  // The event of a failed write comes later.
  if (error) closeOutput(error)
  process.stderr.write('', () => exitExplained(code === 0 && isUnwritable ? 1 : code))
})
