/** Processes in a copy of the project, which run tests as they are asked, and are ended when a mutant does not come to an end. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import type { Order, Result } from './runner.ts'
import type { Play, Played } from './stories.ts'

interface Worker<Q, A> {
  /** @returns undefined if no answer came in time */
  run(order: Q, limit: number): Promise<A | undefined>
  close(): void
}

export type Suite = Worker<Order, Result>
export type Stories = Worker<Play, Played>

export const openSuite = (tree: string): Suite => openWorker(tree, 'runner.ts', {})

/** @param mutant one that is evaluated while the sources load: it is on from the start */
export const openStories = (tree: string, mutant?: number): Stories =>
  openWorker(tree, 'stories.ts', mutant === undefined ? {} : { MUTANT: String(mutant) })

function openWorker<Q extends object, A>(
  tree: string,
  module: string,
  env: Readonly<Record<string, string>>,
): Worker<Q, A> {
  let child: ChildProcess | undefined

  function started(): ChildProcess {
    child ??= fork(join(tree, 'test/mutate', module), {
      cwd: tree,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    return child
  }

  function close(): void {
    if (child?.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    child = undefined
  }

  async function run(order: Q, limit: number): Promise<A | undefined> {
    const isNew = child === undefined
    const runner = started()
    const end = new AbortController()
    const { signal } = end
    const timer = setTimeout(() => end.abort(), limit)
    runner.once('exit', () => end.abort())
    try {
      if (isNew) await once(runner, 'message', { signal })
      runner.send(order)
      const [answer] = await once(runner, 'message', { signal })
      return answer as A
    } catch {
      close()
      return undefined
    } finally {
      clearTimeout(timer)
      runner.removeAllListeners('exit')
    }
  }

  return { run, close }
}
