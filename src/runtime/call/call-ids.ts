/** The ids of the calls of an effect. A call that the journal holds keeps its id, also if the node makes its calls in another order when it is performed again. */
import { pendingEffect } from '../../core/run/effects.ts'
import { type CallId, OtherCall } from './callable.ts'
import type { CallContext } from './context.ts'
import { recordedKeys } from './recording.ts'

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

export function callIds(context: CallContext): CallIds {
  const { effect, records, ports, cancellation } = context
  const left = new Unmade(knownCalls(context))
  const reported = records.reports.values()
  const taken = new Set([...left.ids(), ...records.reports])
  /** The calls of a fork's parent. The fork need not make them. */
  const recorded = new Unmade(recordedKeys(context).filter(([id]) => !taken.has(id)))
  const numberOf = (id: string) => Number(id.slice(effect.length + 1)) || 0
  let last = 0
  for (const id of [...taken, ...recorded.ids()]) last = Math.max(last, numberOf(id))
  let made = 0

  const nextPlace = () => `${effect}/${++made}`
  /** A new call has the number of its place, or a higher one if that is taken. */
  const newId = (place: string): string => {
    recorded.delete(place)
    if (!taken.has(place)) return place
    last = Math.max(last, made) + 1
    return elsewhere(`${effect}/${last}`)
  }
  const elsewhere = (id: string): string => {
    taken.add(id)
    return id
  }
  const find = (place: string, key: string): string | undefined => {
    const known = left.take(place, key)
    if (known !== undefined || left.size > 0) return known
    const id = recorded.take(place, key)
    if (id === undefined) return newId(place)
    return id === place ? id : elsewhere(id)
  }
  const findLater = async (place: string, { kind, subject, key }: Made): Promise<string> => {
    for (let pause = 0; pause < PAUSES.length; pause++) {
      const { size } = left
      await ports.clock.sleep(PAUSES[pause] ?? 0, cancellation.signal)
      const id = find(place, key)
      if (id !== undefined) return id
      if (left.size < size) pause = -1
    }
    const [id = place] = left.has(place) ? [place] : left.ids()
    const record = records.calls.get(id)
    // A deploy changes prompts.
    const isOpenToChange = kind === 'model' && record?.state.kind !== 'answered'
    if (!isOpenToChange || record?.subject !== subject)
      throw new OtherCall(id, record?.subject ?? subject, subject)
    left.delete(id)
    return id
  }
  return {
    of(call) {
      const place = nextPlace()
      return find(place, call.key) ?? findLater(place, call)
    },
    ofReport() {
      const place = nextPlace()
      return reported.next().value ?? newId(place)
    },
  }
}

type Keyed = readonly [id: string, key: string]

/** The calls in the journal, and those that a person was asked about before they were made. */
function knownCalls({ effect, records, journal }: CallContext): readonly Keyed[] {
  const pending = pendingEffect(journal.run.pending, effect)
  const { permissions = [] } = pending?.type === 'invoke' ? pending : {}
  return [
    ...permissions.map(({ call, key }): Keyed => [call, key]),
    ...[...records.calls].map(([id, { key }]): Keyed => [id, key]),
  ]
}

/** Calls that a node has not made again yet. */
class Unmade {
  readonly #keys: Map<string, string>
  /** An iterator continues where the last search for its key has ended. */
  #byKey: ReadonlyMap<string, Iterable<string>> | undefined

  constructor(calls: readonly Keyed[]) {
    this.#keys = new Map(calls)
  }

  get size(): number {
    return this.#keys.size
  }

  ids(): Iterable<string> {
    return this.#keys.keys()
  }

  has(id: string): boolean {
    return this.#keys.has(id)
  }

  delete(id: string): void {
    this.#keys.delete(id)
  }

  /** The call in this place if it has this key, or else the first one with the key. */
  take(place: string, key: string): string | undefined {
    if (this.#keys.get(place) === key) return this.#taken(place)
    if (this.#keys.size === 0) return undefined
    this.#byKey ??= idsByKey(this.#keys)
    for (const id of this.#byKey.get(key) ?? []) if (this.#keys.has(id)) return this.#taken(id)
    return undefined
  }

  #taken(id: string): string {
    this.#keys.delete(id)
    return id
  }
}

function idsByKey(keys: ReadonlyMap<string, string>): ReadonlyMap<string, Iterable<string>> {
  const groups = Map.groupBy(keys.keys(), id => keys.get(id) ?? '')
  return new Map([...groups].map(([key, ids]) => [key, ids.values()]))
}
