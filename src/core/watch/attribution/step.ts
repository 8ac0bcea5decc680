/** What an attribution reads: requests, calls and answers, of a journal or of a recorded trace. */
import { DEPTH_MAX, isMap, type Json, jsonOrText } from '../data/json.ts'
import type { Stamped } from '../event/event.ts'
import type { Act } from '../trace-watcher.ts'
import { OpenCalls } from './open-calls.ts'
import { Turns } from './turns.ts'

interface OfCall {
  /** Its number in the recording. For an answer, that of its call. */
  readonly seq: number
  readonly subject: string
  readonly args: Json
  readonly writes: boolean
}

export interface Answered extends OfCall {
  readonly step: 'answered'
  readonly value: Json
  /** In ms; absent if the recording has no times. */
  readonly took?: number
}

export interface Failed extends OfCall {
  readonly step: 'failed'
  /** Name, code and message. */
  readonly text: string
  /** The id of the rule that classified it; empty if the recording has none. */
  readonly rule: string
  readonly isBusiness: boolean
}

/** An answer of a model. */
export interface Requested {
  readonly step: 'requested'
  readonly seq: number
  readonly subject: string
  readonly text: string
  readonly requests: readonly { readonly tool: string; readonly args: Json }[]
}

/** `restarted`: another process repeats the work. `rejected`: a check does not accept the result. */
interface Turned {
  readonly step: 'restarted' | 'rejected'
  readonly seq: number
}

export type Step = Answered | Failed | Requested | Turned

type Calling = {
  readonly seq: number
  readonly at: number
  readonly args: Json
  readonly writes: boolean
}

/** The steps of a journal. */
export function stepsOfEvents(events: readonly Stamped[]): readonly Step[] {
  const calls = new Map<string, Calling>()
  const turns = new Turns()
  return events.flatMap((event, seq): Step[] => {
    if (turns.restarts(event)) return [{ step: 'restarted', seq }]
    switch (event.type) {
      case 'tool.called':
        calls.set(event.call, {
          seq,
          at: event.at,
          args: event.args,
          writes: event.effects === 'write',
        })
        return []
      case 'model.called':
        calls.set(event.call, { seq, at: event.at, args: null, writes: false })
        return []
      case 'tool.done':
      case 'model.done':
      case 'tool.failed':
      case 'model.failed':
        return [
          ended(event, calls.get(event.call) ?? { seq, at: event.at, args: null, writes: false }),
        ]
      case 'node.done':
        return event.label === 'rejected' ? [{ step: 'rejected', seq }] : []
      case 'node.failed':
        return event.failure.rule === 'verify' ? [{ step: 'rejected', seq }] : []
      default:
        return []
    }
  })
}

type Ended = Extract<
  Stamped,
  { readonly type: 'tool.done' | 'model.done' | 'tool.failed' | 'model.failed' }
>

function ended(event: Ended, { seq, at, args, writes }: Calling): Step {
  const { subject } = event
  if (event.type === 'model.done')
    return { step: 'requested', seq, subject, text: event.text, requests: event.calls }
  const of = { seq, subject, args, writes }
  if (event.type === 'tool.done')
    return { step: 'answered', ...of, value: event.result, took: event.at - at }
  const { name, code = '', message, rule } = event.failure
  const isBusiness = event.failure.class === 'business'
  return { step: 'failed', ...of, text: `${name} ${code} ${message}`, rule, isBusiness }
}

/** Names of tools that change something, where a recording does not say it. */
const WRITES =
  /(^|[_\W])(write|order|book|create|update|delete|send|set|adjust|submit|pay|post|edit|insert|remove)/i

const REJECTS = /\bnot accepted\b|\bcheck failed\b|\brejected\b/i

/** The steps of a recorded trace. */
export function stepsOfActs(acts: readonly Act[]): readonly Step[] {
  const open = new OpenCalls<OfCall>()
  return acts.flatMap((act, seq): Step[] => {
    if (act.act === 'said') {
      if (act.person) return REJECTS.test(act.text) ? [{ step: 'rejected', seq }] : []
      return [{ step: 'requested', seq, subject: act.by ?? '', text: act.text, requests: [] }]
    }
    if (act.act === 'called') {
      const { tool, args } = act
      const of = { seq, subject: tool, args, writes: WRITES.test(tool) }
      open.add(act.call ?? '', of)
      return [{ step: 'requested', seq, subject: '', text: '', requests: [{ tool, args }] }]
    }
    const of = open.take(act.call)
    if (!of) return []
    const isFailed = act.ok === false || (act.ok === null && /^(error|exception)\b/i.test(act.text))
    return isFailed
      ? [{ step: 'failed', ...of, text: act.text, rule: '', isBusiness: false }]
      : [{ step: 'answered', ...of, value: jsonOrText(act.text) }]
  })
}

/** The fields of a value, by their paths. A text or a number is its own field, and so is a map below `DEPTH_MAX` levels. */
export function fieldsOf(value: Json): ReadonlyMap<string, Json> {
  const fields = new Map<string, Json>()
  addFields(fields, value, '', 0)
  return fields
}

function addFields(fields: Map<string, Json>, value: Json, path: string, depth: number): void {
  if (!isMap(value) || depth > DEPTH_MAX) {
    fields.set(path, value)
    return
  }
  for (const [key, inner] of Object.entries(value))
    addFields(fields, inner, path === '' ? key : `${path}.${key}`, depth + 1)
}
