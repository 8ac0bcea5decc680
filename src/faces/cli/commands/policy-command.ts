/** The policy of a thread: shown, or changed while it runs. */
import { notationOf } from '../../../core/watch/policy/policy-notation.ts'
import { loadPolicyChange } from '../../../host/load.ts'
import { machineOf } from '../../../host/stored.ts'
import { type App, EXIT } from '../app/app.ts'
import { policyTable } from '../print/policy-text.ts'
import { command } from './resume.ts'
import { type SessionOptions, storedRun, withHost, withStore } from './thread.ts'

export interface PolicyOptions extends SessionOptions {
  readonly set: readonly string[]
  readonly file?: string
}

export async function policy(app: App, thread: string, options: PolicyOptions): Promise<number> {
  if (options.set.length > 0 || options.file !== undefined) {
    const change = await loadPolicyChange(options.set, options.file)
    return withHost(app, options, session =>
      command(session, thread, { type: 'policy.change', change }),
    )
  }
  return withStore(options, async store => {
    const run = await storedRun(store, await machineOf(store, thread), thread)
    if (options.json) app.out(`${JSON.stringify({ thread, policy: notationOf(run.policy) })}\n`)
    else app.print([policyTable(run.policy)])
    return EXIT.goal
  })
}
