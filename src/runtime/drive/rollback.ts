/** The way back to the mark: what was written since is undone, newest first, each as a call of its own in the journal. */
import type { Undo } from '../../core/run.ts'
import type { RollbackEvent } from '../../core/watch/event.ts'
import type { Json } from '../../core/watch/json.ts'
import { makeCall } from '../call/call.ts'
import type { Answer } from '../ports.ts'
import { played } from '../call/tape.ts'
import { compensation } from '../call/tool-call.ts'
import type { Work } from '../call/work.ts'

/** The event that ends the way: back at the mark, or stuck on the way because a write cannot be undone. */
export async function undone(work: Work): Promise<RollbackEvent> {
  const { journal, effect } = work
  const of = { effect: effect.id, region: effect.region }
  // What has been undone leaves the list by its own event: after a crash only the rest is there.
  for (let next = journal.run.undo.at(-1); next; next = journal.run.undo.at(-1)) {
    const answer = await undo(work, next)
    // An earlier attempt may have told late that it worked.
    const stands = journal.run.undo.some(({ call }) => call === next.call)
    if (!answer.ok && stands)
      return { ...of, type: 'rollback.failed', undone: next.call, failure: answer.failure }
  }
  return { ...of, type: 'rolledBack' }
}

async function undo(
  work: Work,
  { tool: name, call: undoes, ...rows }: Undo,
): Promise<Answer<Json>> {
  const { tools } = work.ports.graph
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (!tool?.compensate) throw new NotCompensable(`${name} knows no way to undo ${undoes}`)
  const call = `${work.effect.id}/${undoes}`
  const callable = compensation(work, { tool, call, undoes, ...(await wasCalled(work, rows)) })
  return (
    played<Json>(work, call, callable.key) ?? makeCall(work, callable, work.records.calls.get(call))
  )
}

class NotCompensable extends Error {
  override readonly name = 'NotCompensable'
}

/** What the call was given, and what came of it, as the journal holds them. */
async function wasCalled(
  { ports, journal }: Work,
  { called, done = called }: Pick<Undo, 'called' | 'done'>,
): Promise<{ readonly args: Json; readonly result: Json }> {
  await journal.flush()
  const eventAt = async (seq: number) =>
    (await ports.store.rows(journal.lease.thread, seq - 1, 1))[0]?.event
  const [asked, answered] = [await eventAt(called), await eventAt(done)]
  return {
    args: asked?.type === 'tool.called' ? asked.args : null,
    result:
      (answered &&
        ('result' in answered ? answered.result : 'output' in answered ? answered.output : null)) ??
      null,
  }
}
