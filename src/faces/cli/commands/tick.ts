/** `escapement tick`: continues the threads that are due, once. */
import { isDead, nodeOwner } from '../../../adapters/node/ports.ts'
import { thrownText } from '../../../core/watch/failure/thrown-text.ts'
import type { Host } from '../../../host/drive/host.ts'
import { Sweep } from '../../../host/drive/sweep.ts'
import { isWrongGraph, nameOf, type WrongGraph } from '../../../runtime/store/source.ts'
import { isStoreUnavailable } from '../../../runtime/store/store.ts'
import { type App, EXIT } from '../app/app.ts'
import { errorBlocks } from '../print/error.ts'
import { isHeldElsewhere } from './resume.ts'
import { type ControlOptions, driveThread, report, withHost } from './thread.ts'

/** Continues every thread that is due: deadlines, waits, commands, threads whose process has died, and lost wake-ups. With `--json`, prints one line for each. */
export async function tick(app: App, options: ControlOptions): Promise<number> {
  return withHost(app, options, async session => {
    let code: number = EXIT.goal
    const { host } = session
    const due = new Set(await host.due())
    const sweep = new Sweep(host)
    while (sweep.isReading) for (const { thread } of await sweep.find(Date.now())) due.add(thread)
    const other = due.size === 0 ? await waitingForOther(host) : undefined
    if (other) app.err(`nothing is due for --graph: ${other}\n`)
    for (const thread of due) {
      try {
        await report(session, thread, await driveThread(session, thread))
      } catch (error) {
        if (app.leave.aborted || isStoreUnavailable(error)) throw error
        if (isHeldElsewhere(error)) continue
        // A thread that cannot continue, such as one whose graph file is missing, must not block the others.
        const { redact } = nodeOwner()
        const line = { thread, error: thrownText(error, redact) }
        if (options.json) app.out(`${JSON.stringify(line)}\n`)
        app.note(errorBlocks(error, redact, `thread '${thread}': `))
        code = EXIT.ended
      }
    }
    return code
  })
}

/** A thread that waits for another version of a held graph, if one is due or the held versions have no open thread. */
async function waitingForOther(host: Host): Promise<string | undefined> {
  const ids = host.graphIds
  if (ids.length === 0) return undefined
  const all = await host.store.threads()
  const open = all.filter(({ status, graph }) => status !== 'ended' && ids.includes(graph))
  const others = open.filter(each => !host.owns(each))
  if (others.length === 0) return undefined
  const due = new Set(await host.store.due(Date.now(), { isOwnerDead: isDead }))
  const first = others.find(({ thread }) => due.has(thread))
  if (!first && others.length < open.length) return undefined
  const { thread = '' } = first ?? others[0] ?? {}
  const error = await host.graphOf(thread).catch((error: unknown) => error)
  return isWrongGraph(error) ? mismatchText(thread, error) : undefined
}

const mismatchText = (thread: string, { recorded, held }: WrongGraph): string =>
  `thread '${thread}' runs the graph ${nameOf(recorded)}; held here: ${held.map(nameOf).join(', ')}`
