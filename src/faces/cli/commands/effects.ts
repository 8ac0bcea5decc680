/** What a thread has done to the world. */
import { explain } from '../../../core/watch/catalog.ts'
import { effectsOf, type ExternalEffect } from '../../../core/review/ledger.ts'
import { UnknownThread } from '../../../runtime/store/store.ts'
import type { App } from '../app.ts'
import { EXIT } from '../exit.ts'
import { type StoreOption, withStore } from './thread.ts'

export async function effects(
  app: App,
  thread: string,
  options: StoreOption & { readonly json?: boolean },
): Promise<number> {
  return withStore(app, options, async store => {
    if (!(await store.thread(thread))) throw new UnknownThread(thread)
    const done = effectsOf(await store.rows(thread))
    if (options.json) app.out(`${JSON.stringify({ thread, effects: done })}\n`)
    else
      app.out(
        done.length === 0
          ? `${thread} has changed nothing in the world\n`
          : done.map(effectLine).join(''),
      )
    return EXIT.goal
  })
}

function effectLine({ call, tool, args, seq, at, kind, became }: ExternalEffect): string {
  return `${String(seq).padStart(5)}  ${new Date(at).toISOString()}  ${kind.padEnd(13)} ${tool} ${args} (${call}): ${explain(became)}\n`
}
