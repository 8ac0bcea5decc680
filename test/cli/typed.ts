/**
 * Runs a command line in this process, with the ports that `main` passes. Another process first loads 400 modules, which takes
 * longer than most tests: only tests of signals, exit codes and streams start one.
 */
import manifest from '../../package.json' with { type: 'json' }
import { readTraces } from '../../src/adapters/trace/traces.ts'
import { terminalOf } from '../../src/faces/cli/app/terminal.ts'
import { cli } from '../../src/faces/cli/cli.ts'
import { serveProxy } from '../../src/faces/http/proxy/serve-proxy.ts'
import { serveRuntime } from '../../src/faces/http/service.ts'
import { environmentOf, type Said } from '../durability/process.ts'

const NEVER = new AbortController().signal

export async function typed(args: readonly string[], folder: string): Promise<Said> {
  const out: string[] = []
  const err: string[] = []
  const environment = environmentOf()
  const app = {
    ...terminalOf(
      { write: text => out.push(text) },
      { write: text => err.push(text) },
      environment,
    ),
    signal: NEVER,
    leave: NEVER,
    drainsFor: () => NEVER,
    cwd: folder,
    environment,
    elapsed: () => performance.now(),
    serve: serveRuntime,
    proxy: serveProxy,
    traces: readTraces,
  }
  const before = process.cwd()
  process.chdir(folder)
  try {
    const code = await cli(app, manifest.version, args)
    return { code, signal: null, out: out.join(''), err: err.join('') }
  } finally {
    process.chdir(before)
  }
}
