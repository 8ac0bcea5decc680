/** Rollback to a savepoint: every write since then is undone, newest first, each by a journaled call. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { CompensableWrite } from '../../core/run/run.ts'
import type { RollbackEvent } from '../../core/watch/event/event.ts'
import { type Json, callKey } from '../../core/watch/data/json.ts'
import { makeCall } from '../call/call.ts'
import type { Callable } from '../call/callable.ts'
import type { CallContext } from '../call/context.ts'
import { replayCall } from '../call/recording.ts'
import { callableTool } from '../call/tool-call.ts'
import type { Answer, Calling, Tool } from '../ports.ts'

/** Returns the final event: the rollback is done, or a write cannot be undone. */
export async function rollBack(context: CallContext): Promise<RollbackEvent> {
  const { journal, effect, region } = context
  const id = { effect, region }
  // The event of each undo removes its write from the list: after a crash only the others are left.
  for (;;) {
    const write = journal.run.compensable.at(-1)
    if (!write) return { ...id, type: 'rollback.done' }
    const answer = await undoWrite(context, write)
    // A late answer of an earlier attempt may have removed the write, too.
    const isLeft = journal.run.compensable.some(({ call }) => call === write.call)
    if (!answer.ok && isLeft)
      return { ...id, type: 'rollback.failed', undone: write.call, failure: answer.failure }
  }
}

async function undoWrite(context: CallContext, write: CompensableWrite): Promise<Answer<Json>> {
  const { tools } = context.ports.graph
  const tool = Object.hasOwn(tools, write.tool) ? tools[write.tool] : undefined
  if (!tool?.compensate)
    throw new ReasonError('NotCompensable', {
      code: 'cannot-compensate',
      params: { call: write.tool, id: write.call },
    })
  const callable = compensation(context, tool, write.call, await originalCall(context, write))
  const recorded = replayCall(context, callable)
  if (recorded) return recorded as Answer<Json>
  return makeCall(context, callable, context.records.calls.get(callable.call))
}

type OriginalCall = Readonly<{ args: Json; result: Json }>

/** The call that undoes the call `undoes`. It is retried like any call, and made again after a crash. */
function compensation(
  context: CallContext,
  tool: Tool,
  undoes: string,
  { args, result }: OriginalCall,
): Callable<Json> {
  const { name } = tool
  const key = callKey(name, { undoes, args })
  const id = { call: `${context.effect}/${undoes}`, subject: name, key, compensates: undoes }
  const undo: Tool = Object.assign(Object.create(tool) as Tool, {
    ...{ effects: 'write', idempotent: true, reversible: false },
    ...{ compensate: undefined, reconcile: undefined, stuck: undefined },
    execute: async (_: unknown, calling: Calling) => {
      await tool.compensate?.(args, result, calling)
    },
  })
  const callable = callableTool(context, id, { tool: undo, args })
  return { ...callable, late: (result, of) => (result.ok ? callable.late(result, of) : undefined) }
}

/** The arguments and the result of the original call, from the journal. */
async function originalCall(
  { ports, journal }: CallContext,
  { called, done = called }: CompensableWrite,
): Promise<OriginalCall> {
  await journal.flush()
  const eventAt = async (seq: number) =>
    (await ports.store.rows(journal.lease.thread, seq - 1, 1))[0]?.event
  const [request, answer] = [await eventAt(called), await eventAt(done)]
  const args = request?.type === 'tool.called' ? request.args : null
  if (answer && 'result' in answer) return { args, result: answer.result ?? null }
  return { args, result: (answer && 'output' in answer ? answer.output : null) ?? null }
}
