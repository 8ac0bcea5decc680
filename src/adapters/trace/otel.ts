/** Spans of agents, as OpenTelemetry exports them: one trace for each conversation, or else for each trace of the export. */
import type { Act, Trace } from '../../core/watch/normalize/act.ts'
import { answered, called, saidByPerson, spokenBy } from './acts.ts'
import { type Document, TRACE_MAX, tooLong } from './documents.ts'
import type { Passed } from './fields.ts'
import { type TimedAct, newActs } from './otel-acts.ts'
import { type Exchange, type Execution, spanContent } from './otel-dialect.ts'
import { type Span, spansAt } from './otel-span.ts'

/** Exporters write a span when it ends, and mix the spans of traces: the whole file is read before the first trace. @throws InvalidTrace */
export async function* tracesOfSpans(
  file: string,
  documents: AsyncIterable<Document>,
  passed: Passed,
): AsyncGenerator<Trace> {
  const conversations = new Map<string, TimedAct[]>()
  const conversationOf = new Map<string, string>()
  let size = 0
  for await (const { place, value, size: more } of documents) {
    let used = false
    for (const span of spansAt(place, value)) {
      const acts = timedActs(span, passed)
      if (acts.length === 0) continue
      used = true
      const named = span.attributes['gen_ai.conversation.id']
      const id = typeof named === 'string' && named !== '' ? named : span.trace
      if (id !== span.trace) conversationOf.set(span.trace, id)
      const known = conversations.get(id) ?? []
      conversations.set(id, known)
      known.push(...acts)
    }
    if (used) size += more
    if (size > TRACE_MAX) throw tooLong({ where: file, path: '' })
  }
  // Records of a log know the trace alone.
  for (const [trace, acts] of conversations) {
    const conversation = conversations.get(conversationOf.get(trace) ?? '')
    if (conversation === undefined) continue
    conversation.push(...acts)
    conversations.delete(trace)
  }
  for (const [id, acts] of conversations)
    yield { id, acts: newActs(acts.toSorted((one, other) => Number(one.at - other.at))) }
}

function timedActs(span: Span, passed: Passed): readonly TimedAct[] {
  const content = spanContent(span)
  switch (content.kind) {
    case 'execution':
      return toolActs(span, content)
    case 'exchange':
      return modelActs(span, content)
    case 'around':
      return []
    case 'empty':
      passed(`${content.name} without its content`)
      return []
    case 'other':
      passed(content.name)
      return []
  }
}

function toolActs(span: Span, { call: known, tool, args, result }: Execution): readonly TimedAct[] {
  const { from, to, failed, message, attributes } = span
  const error = attributes['error.type']
  const ok = failed || (typeof error === 'string' && error !== '') ? false : null
  const call = known || `${span.trace}/${span.id}`
  const by = known === '' ? 'nameless' : 'tool'
  const text = result || (ok === null ? '' : message || String(error ?? ''))
  return [
    { at: from, by, act: called(call, tool, args) },
    { at: to, by, act: answered(call, ok, text) },
  ]
}

/** All at the beginning of the span: a tool may start before the response is complete. */
function modelActs(
  { from: at, trace, id: span, attributes }: Span,
  { input, output }: Exchange,
): readonly TimedAct[] {
  const before = input.flatMap(({ role, text, answers }): readonly Act[] => [
    ...(role === 'user' && answers.length === 0 ? saidByPerson(text) : []),
    ...answers.flatMap(({ id, text }) => (id === '' ? [] : answered(id, null, text))),
  ])
  const after = output.flatMap(({ text, calls }, choice): readonly Act[] => [
    ...spokenBy(text, attributes['gen_ai.agent.name']),
    ...calls.map(({ id, tool, args }, nth) =>
      called(id || `${trace}/${span}/${choice}.${nth}`, tool, args),
    ),
  ])
  return [
    ...before.map(act => ({ at, by: 'history', act }) as const),
    ...after.map(act => ({ at, by: 'model', act }) as const),
  ]
}
