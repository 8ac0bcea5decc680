/** The ids of the calls of an effect. A call that the journal holds keeps its id, also if the node makes its calls in another order when it is performed again. */
import { pendingEffect } from '../../core/effects.ts'
import { type CallId, OtherCall } from './callable.ts'
import type { CallContext } from './context.ts'

/** What identifies a call before it has an id. */
export type Made = Pick<CallId, 'subject' | 'key'> & {
  readonly kind: 'tool' | 'model' | 'graph'
}

export interface CallIds {
  /** A promise only while other calls of the node may still be made that the journal holds. @throws OtherCall if the journal holds another call in its place */
  of(made: Made): string | Promise<string>
  ofReport(): string
}

/** The pauses, in ms, before a call counts as one that the journal does not hold. The other calls of the node are made meanwhile. */
const PAUSES = [0, 10, 20, 30, 40]

/** The question about a call that was not made yet names no subject. */
type Known = Pick<CallId, 'key'> & { readonly subject?: string }

export function callIds({ effect, records, journal, ports, cancellation }: CallContext): CallIds {
  const { calls, reports } = records
  const pending = pendingEffect(journal.run.pending, effect)
  const { permissions = [] } = pending?.type === 'invoke' ? pending : {}
  /** The calls of the journal that the node has not made again yet. */
  const left = new Map<string, Known>(calls)
  for (const { call, key } of permissions) if (!left.has(call)) left.set(call, { key })
  const reported = reports.values()
  const numberOf = (id: string) => Number(id.slice(effect.length + 1)) || 0
  const known = new Set([...left.keys(), ...reports])
  const moved = new Set<string>()
  let last = 0
  for (const id of known) last = Math.max(last, numberOf(id))
  let made = 0
  let byKey: ReturnType<typeof idsByKey> | undefined

  /** A call that the journal does not hold has the number of its place, or a new one if that is taken. */
  const newId = (place: string): string => {
    if (!known.has(place) && !moved.has(place)) return place
    last = Math.max(last, made) + 1
    const id = `${effect}/${last}`
    moved.add(id)
    return id
  }
  const take = (id: string) => {
    left.delete(id)
    return id
  }
  const find = (place: string, key: string): string | undefined => {
    if (left.size === 0) return newId(place)
    if (left.get(place)?.key === key) return take(place)
    byKey ??= idsByKey(left)
    for (const id of byKey.get(key) ?? []) if (left.has(id)) return take(id)
    return undefined
  }
  const findLater = async (place: string, { kind, subject, key }: Made): Promise<string> => {
    for (let pause = 0; pause < PAUSES.length; pause++) {
      const before = left.size
      await ports.clock.sleep(PAUSES[pause] ?? 0, cancellation.signal)
      const id = find(place, key)
      if (id !== undefined) return id
      if (left.size < before) pause = -1
    }
    const [id = place] = left.has(place) ? [place] : left.keys()
    const before = left.get(id)
    // A deploy changes prompts.
    const isOpenToChange = kind === 'model' && calls.get(id)?.state.kind !== 'answered'
    if (isOpenToChange && before?.subject === subject) return take(id)
    throw new OtherCall(id, before?.subject ?? subject, subject)
  }
  return {
    of(call) {
      const place = `${effect}/${++made}`
      return find(place, call.key) ?? findLater(place, call)
    },
    ofReport() {
      const place = `${effect}/${++made}`
      return reported.next().value ?? newId(place)
    },
  }
}

/** The ids by the keys of their calls. An iterator continues where the last search has ended. */
function idsByKey(calls: ReadonlyMap<string, Known>): ReadonlyMap<string, Iterable<string>> {
  const byKey = Map.groupBy(calls.keys(), id => calls.get(id)?.key ?? '')
  return new Map([...byKey].map(([key, ids]) => [key, ids.values()]))
}
