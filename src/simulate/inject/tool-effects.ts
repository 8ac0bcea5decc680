/** The effects on a tool: on its reply, on its side effect, and on the value that it returns. */
import { callKey, isMap, type Json, mapFields } from '../../core/watch/data/json.ts'
import type { Calling } from '../../runtime/ports.ts'
import type { Effect } from '../scenario/effect.ts'
import type { Effects } from './call.ts'
import { connectionError, delayOrFail } from './failing.ts'

/** Earlier answers to the same arguments, oldest first. */
export type Earlier = Map<string, { readonly at: number; readonly value: unknown }[]>

interface ToolWork {
  readonly args: Json
  readonly call: Pick<Calling, 'sleep'>
  readonly earlier: Earlier
}

export async function executeWith(
  effects: Effects,
  { args, call, earlier }: ToolWork,
  execute: () => Promise<unknown>,
): Promise<unknown> {
  const { hits, now } = effects
  await delayOrFail(effects, call)
  const key = callKey('', args)
  const before = earlier.get(key) ?? []
  const skips = hits.find(({ effect }) => effect.noop || effect.stale !== undefined)?.effect
  if (skips?.noop) return { done: true }
  const stale = skips && before.findLast(({ at }) => at <= now() - (skips.stale ?? 0))
  let value = stale ? stale.value : await execute()
  if (!stale) earlier.set(key, [...before, { at: now(), value }].slice(-KEPT))
  for (const { effect } of hits) {
    if (effect.duplicate) await execute()
    if (effect.late !== undefined) await call.sleep(effect.late)
    if (effect.lostAck) throw connectionError('the connection was lost', 'ECONNRESET')
    value = changed(value, effect, effects)
  }
  return value
}

/** Earlier answers that are kept for each call. */
const KEPT = 8

function changed(value: unknown, effect: Effect, { index, chance }: Effects): unknown {
  if (effect.empty) return emptied(value)
  if (effect.truncate !== undefined) return truncated(value, effect.truncate)
  if (effect.flipFlop) return effect.flipFlop[index % 2]
  if (effect.wrong === 'plausible') return plausible(value as Json, chance('wrong'))
  return effect.wrong ? effect.wrong.value : value
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return ''
  return Array.isArray(value) ? [] : null
}

function truncated(value: unknown, length: number): unknown {
  if (typeof value === 'string' || Array.isArray(value)) return value.slice(0, length)
  if (!isMap(value)) return value
  return mapFields(value, inner => truncated(inner, length) as Json)
}

/** Another value of the same shape: numbers move by up to a fifth, booleans flip, and lists lose their last item. */
function plausible(value: Json, chance: number): Json {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return moved(value, chance)
  if (Array.isArray(value)) return value.slice(0, -1)
  return isMap(value) ? mapFields(value, inner => plausible(inner, chance)) : value
}

function moved(value: number, chance: number): number {
  const factor = 1 + (chance < 0.5 ? -1 : 1) * (0.05 + 0.15 * chance)
  const result = Number.isInteger(value) ? Math.round(value * factor) : value * factor
  return result === value ? value + 1 : result
}
