/** `escapement serve` as a child process, for tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { hashKey } from '../../src/http.ts'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** The headers of an administrator. */
export const KEY = { authorization: 'Bearer k', 'content-type': 'application/json' }

export interface Serving {
  readonly child: ChildProcess
  readonly exit: Promise<{ code: number | null; err: string }>
  readonly ready: Promise<{ url: string; token: string }>
}

export function serveIn(
  folder: string,
  args: readonly string[],
  environment: object = {},
): Serving {
  const main = join(import.meta.dirname, '../../src/main.ts')
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--json', ...args], {
    cwd: folder,
    env: { ...process.env, ESCAPEMENT_KEYS: `ci:admin:${hashKey('k')}`, ...environment },
  })
  children.push(child)
  let err = ''
  child.stderr.on('data', text => {
    err += text
  })
  const exit = new Promise<{ code: number | null; err: string }>(resolve =>
    child.once('exit', code => resolve({ code, err })),
  )
  const ready = new Promise<{ url: string; token: string }>((resolve, reject) => {
    child.stdout.once('data', text => resolve(JSON.parse(String(text))))
    exit.then(({ err }) => reject(new Error(err)))
  })
  // A test may expect only the exit.
  ready.catch(() => {})
  return { child, exit, ready }
}
