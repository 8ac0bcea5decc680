/** Spans of agents, as OpenTelemetry exports them: a trace for each conversation, or else for each trace of theirs. */
import type { Act, Trace } from '../../core/watch/normalize/act.ts'
import { spokenBy, saidByPerson } from './conversation.ts'
import { type Document, TRACE_MAX, tooLong } from './documents.ts'
import type { Passed } from './fields.ts'
import { type Exchange, type Execution, spanContent } from './otel-dialect.ts'
import { type Span, spansAt } from './otel-span.ts'
import { type TimedAct, newActs } from './otel-acts.ts'

/** Spans are exported when they end, and those of several traces in turns: so all of a file are read before the first trace is told. @throws InvalidTrace */
export async function* tracesOfSpans(
  file: string,
  documents: AsyncIterable<Document>,
  passed: Passed,
): AsyncGenerator<Trace> {
  const talks = new Map<string, TimedAct[]>()
  const talkOf = new Map<string, string>()
  let size = 0
  for await (const { place, value, size: more } of documents) {
    let used = false
    for (const span of spansAt(place, value)) {
      const deeds = timedActs(span, passed)
      if (deeds.length === 0) continue
      used = true
      const talk = span.attributes['gen_ai.conversation.id']
      const id = typeof talk === 'string' && talk !== '' ? talk : span.trace
      if (id !== span.trace) talkOf.set(span.trace, id)
      const known = talks.get(id) ?? []
      talks.set(id, known)
      known.push(...deeds)
    }
    if (used) size += more
    if (size > TRACE_MAX) throw tooLong({ where: file, path: '' })
  }
  // Records of a log know the trace alone.
  for (const [trace, deeds] of talks) {
    const talk = talks.get(talkOf.get(trace) ?? '')
    if (talk === undefined) continue
    talk.push(...deeds)
    talks.delete(trace)
  }
  for (const [id, deeds] of talks)
    yield {
      id,
      acts: newActs(
        deeds.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)),
      ),
    }
}

function timedActs(span: Span, passed: Passed): readonly TimedAct[] {
  const tale = spanContent(span)
  switch (tale.kind) {
    case 'execution':
      return toolActs(span, tale)
    case 'exchange':
      return modelActs(span, tale)
    case 'around':
      return []
    case 'empty':
      passed(`${tale.name} without its content`)
      return []
    case 'other':
      passed(tale.name)
      return []
  }
}

function toolActs(span: Span, { call: known, tool, args, result }: Execution): readonly TimedAct[] {
  const { from, to, failed, message, attributes } = span
  const error = attributes['error.type']
  const ok = failed || (typeof error === 'string' && error !== '') ? false : null
  const call = known || `${span.trace}/${span.id}`
  const by = known === '' ? 'nameless' : 'tool'
  return [
    { at: from, by, act: { act: 'called', call, tool, args } },
    {
      at: to,
      by,
      act: {
        act: 'answered',
        call,
        ok,
        text: result || (ok === null ? '' : message || String(error ?? '')),
      },
    },
  ]
}

/** Told at its beginning: a tool may be at work before the model has said all. */
function modelActs(
  { from, trace, id: span, attributes }: Span,
  { heard, told: answer }: Exchange,
): readonly TimedAct[] {
  const before = heard.flatMap(({ role, text, answers }): readonly Act[] => [
    ...(role === 'user' && answers.length === 0 ? saidByPerson(text) : []),
    ...answers.flatMap(({ id, text }): readonly Act[] =>
      id === '' ? [] : [{ act: 'answered', call: id, ok: null, text }],
    ),
  ])
  const after = answer.flatMap(({ text, calls }, choice) => [
    ...spokenBy(text, attributes['gen_ai.agent.name']),
    ...calls.map(
      ({ id, tool, args }, nth): Act => ({
        act: 'called',
        call: id || `${trace}/${span}/${choice}.${nth}`,
        tool,
        args,
      }),
    ),
  ])
  return [
    ...before.map(act => ({ at: from, by: 'history', act }) as const),
    ...after.map(act => ({ at: from, by: 'model', act }) as const),
  ]
}
