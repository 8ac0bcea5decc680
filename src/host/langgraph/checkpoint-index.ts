/** The checkpoints of one LangGraph thread, read from the notes of its journal. */

/** A serialized value: the name of its serializer and its text. Binary values are in base64. */
export type Stored = readonly [type: string, text: string, encoding?: 'base64']

/** A channel of a checkpoint. `add` continues the text of the channel in the parent checkpoint, without its last character. */
export type StoredChannel = Stored | { readonly add: string }

export interface PutNote {
  readonly kind: 'checkpoint'
  readonly ns: string
  readonly id: string
  readonly parent?: string
  /** The checkpoint without its channel values. */
  readonly checkpoint: Stored
  readonly metadata: Stored
  /** The channels that differ from the parent. The others are inherited. */
  readonly channels: Readonly<Record<string, StoredChannel>>
  /** The channels that the parent has, and this checkpoint lacks. */
  readonly dropped: readonly string[]
}

export interface WritesNote {
  readonly kind: 'writes'
  readonly ns: string
  readonly id: string
  readonly task: string
  readonly path: string
  readonly writes: readonly (readonly [index: number, channel: string, value: Stored])[]
}

export type Note = PutNote | WritesNote

export type Write = Readonly<{
  task: string
  path: string
  index: number
  channel: string
  value: Stored
}>

export class CheckpointIndex {
  readonly #puts = new Map<string, PutNote>()
  readonly #writes = new Map<string, Map<string, Write>>()
  #latest: { readonly note: PutNote; readonly values: ReadonlyMap<string, Stored> } | undefined

  add(note: Note): void {
    const key = keyOf(note)
    if (note.kind === 'checkpoint') {
      this.#puts.set(key, note)
      return
    }
    const known = this.#writes.get(key) ?? new Map<string, Write>()
    this.#writes.set(key, known)
    // Repeated writes of a task are ignored, unless they are control writes, such as an interrupt.
    const isControl = note.writes.every(([index]) => index < 0)
    for (const [index, channel, value] of note.writes) {
      const own = `${note.task} ${index}`
      if (isControl || !known.has(own))
        known.set(own, { task: note.task, path: note.path, index, channel, value })
    }
  }

  /** The checkpoint with this id; default: the latest of its namespace. */
  find(ns: string, id?: string): PutNote | undefined {
    return id === undefined
      ? this.all().find(note => note.ns === ns)
      : this.#puts.get(keyOf({ ns, id }))
  }

  /** All checkpoints, latest first. */
  all(): readonly PutNote[] {
    return [...this.#puts.values()].toSorted((a, b) => (a.id < b.id ? 1 : Number(a.id > b.id) * -1))
  }

  /** In the order in which LangGraph applies the writes of a superstep. */
  writes(of: Pick<PutNote, 'ns' | 'id'>): readonly Write[] {
    return [...(this.#writes.get(keyOf(of))?.values() ?? [])].toSorted(
      (a, b) => compare(a.path, b.path) || compare(a.task, b.task) || a.index - b.index,
    )
  }

  /** The next checkpoint of a thread mostly follows the latest one. */
  channels(note: PutNote): ReadonlyMap<string, Stored> {
    const latest = this.#latest
    const chain: PutNote[] = []
    let at: PutNote | undefined = note
    for (; at && at !== latest?.note; at = this.#parentOf(at)) chain.push(at)
    const values = new Map(at ? latest?.values : [])
    for (const { channels, dropped } of chain.toReversed()) {
      for (const name of dropped) values.delete(name)
      for (const [name, stored] of Object.entries(channels)) {
        if (isStored(stored)) values.set(name, stored)
        else {
          const [type, before] = values.get(name) ?? ['json', '[]']
          values.set(name, [type, `${before.slice(0, -1)}${stored.add}`])
        }
      }
    }
    this.#latest = { note, values }
    return values
  }

  #parentOf({ ns, parent }: PutNote): PutNote | undefined {
    return parent === undefined ? undefined : this.#puts.get(keyOf({ ns, id: parent }))
  }
}

/** The channel as it is stored after `before`: a list that has grown stores only its new items. */
export function channelAfter(before: Stored | undefined, value: Stored): StoredChannel | undefined {
  if (!before) return value
  const [type, text, encoding] = value
  if (before[0] === type && before[1] === text && before[2] === encoding) return undefined
  const start = before[1].slice(0, -1)
  const isGrown =
    encoding === undefined &&
    start.length > 1 &&
    start.startsWith('[') &&
    text.startsWith(`${start},`)
  return isGrown ? { add: text.slice(start.length) } : value
}

const isStored = (channel: StoredChannel): channel is Stored => Array.isArray(channel)
const keyOf = ({ ns, id }: { readonly ns: string; readonly id: string }) => JSON.stringify([ns, id])
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
