import type { ForkEffects } from '../../../core/watch/event/event.ts'
import { fork } from '../../../runtime/drive/fork.ts'
import { loadPolicyChange } from '../../../host/load.ts'
import { type App, UsageError, EXIT } from '../app/app.ts'
import { wholeNumber } from './run.ts'
import { printThread } from './report.ts'
import { type StoreOption, withHost } from './thread.ts'

export interface ForkOptions extends StoreOption {
  readonly json?: boolean
  readonly at?: string
  readonly effects?: ForkEffects
  readonly as?: string
  readonly graph?: string
  readonly set: readonly string[]
}

/** A new thread that begins as another one was, to be tried another way. Nothing is performed yet. */
export async function forkThread(app: App, thread: string, options: ForkOptions): Promise<number> {
  const { effects } = options
  if (effects === undefined)
    throw new UsageError(
      '--effects is required: refuse (read, and write nothing), recorded (answered from the parent as long as it asks the same), live (do everything)',
    )
  const at = options.at === undefined ? {} : { at: wholeNumber('--at', options.at) }
  const change =
    options.set.length > 0 ? { change: await loadPolicyChange(options.set, undefined) } : {}
  return withHost(app, { progress: 'never', ...options }, async ({ host }) => {
    const as = options.as ?? `${thread}-${host.newName()}`
    const run = await fork(await host.portsOf(thread), { thread, as, effects, ...at, ...change })
    await printThread(app, { store: host.store, thread: as, run }, options)
    app.err(`forked '${thread}' as '${as}'; \`escapement resume ${as}\` goes on with it\n`)
    return EXIT.goal
  })
}
