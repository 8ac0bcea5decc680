/** The policy of a thread: shown, or changed while it runs. */
import { notationOf } from '../../../core/watch/policy-notation.ts'
import type { App } from '../app.ts'
import { EXIT } from '../exit.ts'
import { policyTable } from '../print/policy-text.ts'
import { command } from './resume.ts'
import { machineOf, type OutputOptions, storedRun, withStore } from './thread.ts'

export interface PolicyOptions extends OutputOptions {
  readonly set: readonly string[]
  readonly file?: string
}

export async function policy(app: App, thread: string, options: PolicyOptions): Promise<number> {
  const asked = options.set.length > 0 || options.file !== undefined
  const change = asked ? await app.change(options.set, options.file) : undefined
  return withStore(app, options, async store => {
    if (change !== undefined)
      return command(app, { store, thread, event: { type: 'policy.change', change } }, options)
    const run = await storedRun(store, await machineOf(app, store, thread), thread)
    if (options.json) app.out(`${JSON.stringify({ thread, policy: notationOf(run.policy) })}\n`)
    else app.print([policyTable(run.policy)])
    return EXIT.goal
  })
}
