/** The external effects of a thread. */
import { effectsOf } from '../../../core/review/ledger.ts'
import { UnknownThread } from '../../../runtime/store/store.ts'
import { type App, EXIT } from '../app/app.ts'
import { effectsTable } from '../print/tables.ts'
import { type StoreOption, withStore } from './thread.ts'

export async function effects(
  app: App,
  thread: string,
  options: StoreOption & { readonly json?: boolean },
): Promise<number> {
  return withStore(options, async store => {
    if (!(await store.thread(thread))) throw new UnknownThread(thread)
    const done = effectsOf(await store.rows(thread))
    if (options.json) app.out(`${JSON.stringify({ thread, effects: done })}\n`)
    else app.print(effectsTable(thread, done))
    return EXIT.goal
  })
}
