/** A loop by hand. */
import type { CompletedCall } from '../../src/core/watch/wrapped/turn.ts'
import { rethinkMessage } from '../../src/core/watch/wrapped/state.ts'
import type { Seen } from './agent.ts'
import { guardOf, type Guarding, type Loop, resultOf, type Talk, TURNS } from './arm.ts'

export const plain: Loop = {
  name: 'loop by hand',
  async talk(talk, guarding) {
    const { opening, move } = talk
    const monitor = guarding && guardOf(guarding)
    const now = guarding?.now ?? (() => 0)
    let seen: readonly Seen[] = []
    monitor?.userMessage(opening, now())
    for (let turn = 0; turn < TURNS; turn++) {
      monitor?.beforeModelCall(now())
      if (monitor?.state.ended !== undefined) return undefined
      const note: Seen[] = monitor?.rethinking
        ? [{ kind: 'note', text: rethinkMessage(monitor.rethinking) }]
        : []
      seen = [...seen, ...note]
      const next = move({ opening, system: '', seen })
      if ('say' in next) {
        monitor?.afterModelTurn({ at: now(), text: next.say, calls: [] })
        return next.say
      }
      const made = await callTool(talk, next, { monitor, now })
      seen = [...seen, made.seen]
      monitor?.afterModelTurn({ at: now(), text: '', calls: [made.call] })
      if (monitor?.state.ended !== undefined) return undefined
    }
    return undefined
  },
}

interface Guard {
  readonly monitor: ReturnType<typeof guardOf> | undefined
  readonly now: Guarding['now']
}

export async function callTool(
  { tools }: Talk,
  { tool, args }: { readonly tool: string; readonly args: object },
  { monitor, now }: Guard,
): Promise<{ seen: Seen; call: CompletedCall }> {
  const call = { tool, args: args as never }
  const permit = monitor?.permit(tool, now(), 0)
  if (permit?.kind === 'no')
    return { seen: { kind: 'result', tool }, call: { ...call, outcome: permit.outcome } }
  const settle = (thrown?: { readonly error: unknown }) =>
    (permit && monitor?.settle(permit, now(), thrown)) ?? { began: 0, ended: 0 }
  try {
    const result = (await tools[permit?.tool ?? tool]?.(args)) ?? ''
    return { seen: resultOf(tool, result), call: { ...call, outcome: settle(), result } }
  } catch (error) {
    return { seen: { kind: 'result', tool }, call: { ...call, outcome: settle({ error }) } }
  }
}
