/** Starts processes as users do, reads their output and exit code, and kills them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from '../compile-cache.ts'

export interface Said {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly child: ChildProcess
  /** The lines it has printed so far. */
  lines(): readonly string[]
  /** Resolves as soon as it has printed this line `times` times; also when it has ended before. */
  line(text: string, times?: number): Promise<void>
  readonly ended: Promise<Said>
}

export interface Start {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts Node with these arguments. What has been compiled once is not compiled again: the suites start hundreds of processes. */
export function start(args: readonly string[], options: Start = {}): Running {
  return watched(
    spawn(process.execPath, [...args], {
      cwd: options.cwd,
      env: environmentOf(options),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

/** The same through a shell, which can set limits first. */
export function startIn(shell: string, args: readonly string[], options: Start = {}): Running {
  return watched(
    spawn('bash', ['-c', `${shell} exec "$0" "$@"`, process.execPath, ...args], {
      cwd: options.cwd,
      env: environmentOf(options),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export function escapement(args: readonly string[], options: Start = {}): Promise<Said> {
  return start([MAIN, ...args], options).ended
}

export function startEscapement(args: readonly string[], options: Start = {}): Running {
  return start([MAIN, ...args], options)
}

export function escapementIn(
  shell: string,
  args: readonly string[],
  options: Start = {},
): Promise<Said> {
  return startIn(shell, [MAIN, ...args], options).ended
}

export function environmentOf({ env = {} }: Start = {}): NodeJS.ProcessEnv {
  const { OPENAI_API_KEY: _, OPENAI_BASE_URL: __, ESCAPEMENT_STORE: ___, ...own } = process.env
  return { ...own, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env }
}

function watched(child: ChildProcess): Running {
  let output = ''
  let err = ''
  const lines = () => output.split('\n').slice(0, -1)
  child.stdout?.on('data', data => {
    output += data
  })
  child.stderr?.on('data', data => {
    err += data
  })
  const ended = once(child, 'close').then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
    out: output,
    err,
  }))
  const line = (text: string, times = 1) =>
    new Promise<void>(resolve => {
      const look = () => {
        if (lines().filter(said => said === text).length >= times) resolve()
      }
      child.stdout?.on('data', look)
      look()
      void ended.then(() => resolve())
    })
  return { child, lines, line, ended }
}

/** The path of a file in this folder. */
export function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
