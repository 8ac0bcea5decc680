#!/usr/bin/env node
/** The composition root, and the command `escapement`: here, and nowhere else, ports get their implementations. */
import { createRequire } from 'node:module'
import type { App } from './faces/cli/app/app.ts'
import { terminalOf } from './faces/cli/app/terminal.ts'

const OLDEST: readonly [number, number] = [22, 13]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `escapement needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}. Install a newer Node, or run through npm in a project that brings one.\n`,
  )
  process.exit(2)
}

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('interrupted by the user')))
// Whoever stops a service wants it to go on later: only a user's own hand cancels.
const terminated = new AbortController()
for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () =>
    terminated.abort(
      new Error('terminated; the thread is left as it is, and `escapement resume` goes on with it'),
    ),
  )
// A reader that went away (`escapement export … | head`) is no fault of ours.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`escapement: the output cannot be written: ${error.message}\n`, () =>
    process.exit(1),
  )
})

// Everything is loaded when it is needed: `--version` needs next to nothing.
const app: App = {
  ...terminalOf(process.stdout, process.stderr, process.env),
  signal: interrupted.signal,
  leave: terminated.signal,
  cwd: process.cwd(),
  environment: process.env,
  elapsed: () => performance.now(),
  traces: async function* (file, reading) {
    const { readTraces } = await import('./adapters/trace/traces.ts')
    const { collectEarly } = await import('./adapters/node/garbage.ts')
    collectEarly()
    yield* readTraces(file, reading)
  },
}

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }
const { cli } = await import('./faces/cli/cli.ts')
process.exitCode = await cli(app, version, process.argv.slice(2))
// Once all is written nobody waits any longer for work that was left and does not heed it.
process.stdout.write('', () => process.stderr.write('', () => process.exit()))
