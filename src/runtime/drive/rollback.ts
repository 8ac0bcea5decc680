/** The way back to the mark: what was written since is undone, newest first, each as a call of its own in the journal. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { CompensableWrite } from '../../core/run.ts'
import type { RollbackEvent } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { makeCall } from '../call/call.ts'
import type { Answer } from '../ports.ts'
import { replayCall } from '../call/recording.ts'
import { compensation } from '../call/tool-call.ts'
import type { EffectContext } from '../call/effect-context.ts'

/** The event that ends the way: back at the mark, or stuck on the way because a write cannot be undone. */
export async function rollBack(context: EffectContext): Promise<RollbackEvent> {
  const { journal, effect } = context
  const of = { effect: effect.id, region: effect.region }
  // What has been undone leaves the list by its own event: after a crash only the rest is there.
  for (let next = journal.run.compensable.at(-1); next; next = journal.run.compensable.at(-1)) {
    const answer = await undoWrite(context, next)
    // An earlier attempt may have told late that it worked.
    const stands = journal.run.compensable.some(({ call }) => call === next.call)
    if (!answer.ok && stands)
      return { ...of, type: 'rollback.failed', undone: next.call, failure: answer.failure }
  }
  return { ...of, type: 'rollback.done' }
}

async function undoWrite(
  context: EffectContext,
  { tool: name, call: undoes, ...rows }: CompensableWrite,
): Promise<Answer<Json>> {
  const { tools } = context.ports.graph
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (!tool?.compensate)
    throw new ReasonError('NotCompensable', {
      code: 'cannot-compensate',
      params: { call: name, id: undoes },
    })
  const call = `${context.effect.id}/${undoes}`
  const callable = compensation(context, {
    tool,
    call,
    undoes,
    ...(await originalCall(context, rows)),
  })
  return (
    replayCall<Json>(context, call, callable.key) ??
    makeCall(context, callable, context.records.calls.get(call))
  )
}

/** What the call was given, and what came of it, as the journal holds them. */
async function originalCall(
  { ports, journal }: EffectContext,
  { called, done = called }: Pick<CompensableWrite, 'called' | 'done'>,
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
