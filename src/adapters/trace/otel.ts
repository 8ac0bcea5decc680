/** Spans of agents, exported by OpenTelemetry: one trace for each conversation id, otherwise for each trace of the export. */
import type { Act, Trace } from '../../core/watch/trace-watcher.ts'
import { checkSize, type Document } from './conversation.ts'
import type { Skip } from './fields.ts'
import { type TimedAct, timedActs } from './otel-content.ts'
import { spansAt } from './otel-span.ts'

/**
 * Reads the whole file before the first trace: exporters write a span when it ends and mix the spans of traces.
 * @throws InvalidTrace
 */
export async function* spanTraces(
  file: string,
  documents: AsyncIterable<Document>,
  skip: Skip,
): AsyncGenerator<Trace> {
  const conversations = new Map<string, TimedAct[]>()
  const conversationOf = new Map<string, string>()
  let size = 0
  for await (const { place, value, size: more } of documents) {
    let used = false
    for (const span of spansAt(place, value)) {
      const acts = timedActs(span, skip)
      if (acts.length === 0) continue
      used = true
      const named = span.attributes['gen_ai.conversation.id']
      const id = typeof named === 'string' && named !== '' ? named : span.trace
      if (id !== span.trace) conversationOf.set(span.trace, id)
      const known = conversations.get(id) ?? []
      conversations.set(id, known)
      for (const act of acts) known.push(act)
    }
    if (used) size += more
    checkSize(size, file)
  }
  // Log records contain only the trace id.
  for (const [trace, acts] of conversations) {
    const id = conversationOf.get(trace)
    const conversation = id === undefined ? undefined : conversations.get(id)
    if (conversation === undefined) continue
    for (const act of acts) conversation.push(act)
    conversations.delete(trace)
  }
  for (const [id, acts] of conversations)
    yield { id, acts: withoutRepeats(acts.toSorted((one, other) => Number(one.at - other.at))) }
}

/** Merges repeated acts: the model asks for a call, a tool executes it, and every later request repeats both. */
function withoutRepeats(acts: readonly TimedAct[]): readonly Act[] {
  const repeated = new Set(
    acts.flatMap(({ by, act }) => (by === 'history' && act.act === 'answered' ? [act.call] : [])),
  )
  const known = { calls: new Set<string>(), answers: new Set<string>(), texts: new Set<string>() }
  /** The calls of each tool by the model, the oldest first. Those before `next` have their spans. */
  const open = new Map<string, { readonly calls: string[]; next: number }>()
  /** The calls whose spans have their ids. */
  const matched = new Set<string>()
  const ids = new Map<string, string>()
  return acts.filter(isNew).map(({ act }) => {
    const call = act.act === 'answered' ? ids.get(act.call ?? '') : undefined
    return call === undefined ? act : { ...act, call }
  })

  function isNew({ by, act }: TimedAct): boolean {
    if (act.act === 'said') return by !== 'history' || add(known.texts, act.text)
    if (act.act === 'called') return isNewCall(by, act.call ?? '', act.tool)
    const call = ids.get(act.call ?? '') ?? act.call ?? ''
    // The span did not record the answer, and a later request repeats it.
    if (by !== 'history' && act.ok === null && act.text === '' && repeated.has(call)) return false
    return add(known.answers, call)
  }

  function isNewCall(by: TimedAct['by'], call: string, tool: string): boolean {
    const oldest = by === 'nameless' ? takeOldest(tool) : undefined
    if (oldest !== undefined) ids.set(call, oldest)
    if (oldest !== undefined) return false
    const isFirst = add(known.calls, call)
    if (isFirst && by === 'model') {
      const waiting = open.get(tool) ?? { calls: [], next: 0 }
      open.set(tool, waiting)
      waiting.calls.push(call)
    }
    if (!isFirst && by === 'tool') matched.add(call)
    return isFirst
  }

  /** The oldest call of a tool without its span. */
  function takeOldest(tool: string): string | undefined {
    const waiting = open.get(tool)
    if (waiting === undefined) return undefined
    const { calls } = waiting
    while (waiting.next < calls.length) {
      const call = calls[waiting.next++]
      if (call !== undefined && !matched.has(call)) return call
    }
    return undefined
  }
}

/** Whether the name was not yet in the set. */
function add(names: Set<string>, name: string): boolean {
  const before = names.size
  return names.add(name).size > before
}
