/** Converts a command of a core story to its events, with ids, keys and digests. */
import type { AgentMachine } from '../../src/core/graph/agent-machine.ts'
import { type Run, runnable } from '../../src/core/run/run.ts'
import type { AgentEvent, ChosenRung, Decision } from '../../src/core/watch/event/event.ts'
import { type Json, callKey, digest } from '../../src/core/watch/data/json.ts'
import type { Policy } from '../../src/core/watch/policy/policy.ts'
import { called, duration, failureOf, valueOf } from './words.ts'

/** What a command must know of its story. */
export interface CoreScript {
  readonly machine: AgentMachine
  effectsOf(tool: string): 'read' | 'write'
  repeatable(tool: string): boolean
  expectsCommand(): boolean
  run(): Run
  effect(named: string | undefined): { readonly id: string; readonly region: string } | undefined
  /** The id of a new call of the subject, or of its latest one. */
  call(subject: string, effect: string, again: boolean): string
  /** The keys of calls by their ids, so that an answer alone finds what was asked. */
  readonly keys: Map<string, string>
}

export function eventOf(telling: CoreScript, command: string): readonly AgentEvent[] {
  const [, word = '', text = ''] = /^(\S+)\s*(.*)$/.exec(command) ?? []
  const verb = VERBS[word]
  if (!verb)
    throw new Error(`a story cannot say '${word}'; it can: ${Object.keys(VERBS).join(', ')}`)
  const { rest, options } = optionsIn(text)
  return verb({
    telling,
    rest,
    options,
    effect: telling.effect(options.at) ?? { id: 'missing#1', region: '' },
  })
}

interface Said {
  readonly telling: CoreScript
  readonly rest: string
  readonly options: Readonly<Record<string, string>>
  readonly effect: { readonly id: string; readonly region: string }
}

/** `@act`, `label=x`, `try=2`, `to=B`, `by=…` and a final `&`. Everything else is left for the verb. */
function optionsIn(text: string): { rest: string; options: Record<string, string> } {
  const options: Record<string, string> = {}
  const rest = text
    .replace(/(^|\s)@(\S+)/, (_, __, at: string) => {
      options.at = at
      return ''
    })
    .replace(/\s&$/, () => {
      options.more = 'yes'
      return ''
    })
    .replace(
      /(^|\s)(label|try|to|in|out|usd|retryAt|rung)=(\S+)/g,
      (_, __, key: string, value: string) => {
        options[key] = value
        return ''
      },
    )
  return { rest: rest.trim(), options }
}

const VERBS: Readonly<Record<string, (said: Said) => readonly AgentEvent[]>> = {
  start: ({ telling: { machine }, rest }) => [
    {
      type: 'thread.started',
      input: rest === '' ? {} : valueOf(rest),
      seed: 1,
      specHash: machine.hash,
      policy: machine.policy,
      versions: {},
    },
  ],
  turn: ({ telling }) =>
    runnable(telling.run()).map(({ id, region }) => ({
      type: 'turn.started',
      effect: id,
      region,
      epoch: 1,
    })),
  'turn.started': ({ effect, options }) => [
    {
      type: 'turn.started',
      effect: effect.id,
      region: effect.region,
      epoch: Number(options.try ?? 1),
    },
  ],
  'node.done': ({ effect, rest, options }) => [
    {
      type: 'node.done',
      effect: effect.id,
      region: effect.region,
      output: rest === '' ? {} : valueOf(rest),
      ...(options.label === undefined ? {} : { label: options.label }),
    },
  ],
  'node.failed': ({ telling, effect, rest }) => [
    {
      type: 'node.failed',
      effect: effect.id,
      region: effect.region,
      failure: failureOf(rest, telling.run().policy.failures),
    },
  ],
  reported: ({ effect, rest }) => [
    {
      type: 'reported',
      effect: effect.id,
      region: effect.region,
      call: `${effect.id}/0`,
      note: valueOf(rest),
    },
  ],
  'rollback.done': ({ effect }) => [
    { type: 'rollback.done', effect: effect.id, region: effect.region },
  ],
  'rollback.failed': ({ telling, effect, rest }) => [
    {
      type: 'rollback.failed',
      effect: effect.id,
      region: effect.region,
      failure: failureOf(rest, telling.run().policy.failures),
    },
  ],
  tick: ({ effect }) => [{ type: 'tick', effect: effect.id }],
  resume: ({ telling, rest, options }) => [resumed(telling, rest, options)],
  message: ({ rest }) => [{ type: 'message', input: valueOf(rest) }],
  'round.started': () => [{ type: 'round.started' }],
  cancel: ({ rest }) => [{ type: 'cancel', reason: rest || 'cancelled' }],
  'policy.changed': ({ telling, rest }) => [
    {
      type: 'policy.changed',
      policy: merged(telling.run().policy as unknown as Json, valueOf(rest)) as unknown as Policy,
    },
  ],
  call: said => {
    const [, what = '', sign = '', answer = ''] = /^(.*?) (->|!!) (.*)$/.exec(said.rest) ?? []
    const { name, args } = called(what)
    const fields = ofCall(said, name, args, false)
    return [
      toolCalled(said, fields, args),
      sign === '->' ? toolDone(said, fields, answer) : toolFailed(said, fields, answer),
    ]
  },
  'call.proposed': said => {
    const { name, args } = called(said.rest)
    const fields = ofCall(said, name, args, false)
    return [{ ...fields, type: 'call.proposed', args, effects: said.telling.effectsOf(name) }]
  },
  'tool.called': said => {
    const { name, args } = called(said.rest)
    return [toolCalled(said, ofCall(said, name, args, Number(said.options.try ?? 1) > 1), args)]
  },
  'tool.done': said => [toolDone(said, answeredCall(said), tail(said.rest))],
  'tool.failed': said => [toolFailed(said, answeredCall(said), tail(said.rest))],
  ask: said => {
    const [, model = '', answer = ''] = /^(\S+) -> (.*)$/.exec(said.rest) ?? []
    const fields = ofCall(said, model, {}, false)
    return [
      { ...fields, type: 'model.called', attempt: 1, messages: 1 },
      modelDone(said, fields, answer),
    ]
  },
  'model.called': said => [
    { ...ofCall(said, said.rest, {}, false), type: 'model.called', attempt: 1, messages: 1 },
  ],
  'circuit.refused': said => {
    const { name, args } = called(said.rest)
    const failure = {
      name: 'CircuitOpen',
      message: `the circuit breaker of ${name} is open`,
      class: 'transient',
      scope: 'resource',
      rule: 'circuit',
    } as const
    return [
      {
        ...ofCall(said, name, args, false),
        type: 'circuit.refused',
        kind: 'tool',
        failure,
        retryAt: telling(said).run().at + duration(said.options.retryAt ?? '30s'),
      },
    ]
  },
  'call.late': said => {
    const fields = ofCall(said, called(said.rest).name, {}, true)
    return [
      {
        ...fields,
        type: 'call.late',
        ok: true,
        effects: telling(said).effectsOf(fields.subject),
        result: tail(said.rest),
      },
    ]
  },
}

const telling = (said: Said): CoreScript => said.telling
const tail = (text: string): string => text.replace(/^\S+\s*/, '')

function ofCall({ telling, effect, options }: Said, subject: string, args: Json, again: boolean) {
  const call = telling.call(subject, effect.id, again)
  const key = again ? (telling.keys.get(call) ?? callKey(subject, args)) : callKey(subject, args)
  telling.keys.set(call, key)
  return {
    effect: effect.id,
    region: effect.region,
    call,
    subject,
    key,
    ...(options.more === undefined ? {} : { more: true as const }),
  }
}

type Fields = ReturnType<typeof ofCall>

function answeredCall(said: Said): Fields {
  return ofCall(said, called(said.rest).name, {}, true)
}

function toolCalled({ telling, options }: Said, fields: Fields, args: Json): AgentEvent {
  const { subject } = fields
  return {
    ...fields,
    type: 'tool.called',
    args,
    attempt: Number(options.try ?? 1),
    effects: telling.effectsOf(subject),
    repeatable: telling.repeatable(subject),
  }
}

function toolDone({ telling }: Said, fields: Fields, answer: string): AgentEvent {
  const result = valueOf(answer)
  return {
    ...fields,
    type: 'tool.done',
    result,
    digest: digest(result),
    effects: telling.effectsOf(fields.subject),
  }
}

/** `try=1`: one attempt, and another follows; without it the failure is the call's answer. */
function toolFailed({ telling, options }: Said, fields: Fields, error: string): AgentEvent {
  return {
    ...fields,
    type: 'tool.failed',
    failure: failureOf(error, telling.run().policy.failures),
    attempt: Number(options.try ?? 1),
    final: options.try === undefined,
  }
}

function modelDone({ telling, options }: Said, fields: Fields, answer: string): AgentEvent {
  const wants = /^wants (.*)$/.exec(answer)
  const { name, args } = called(wants?.[1] ?? '')
  const text = wants ? '' : answer.replace(/^says /, '')
  const usage = {
    input: Number(options.in ?? 0),
    output: Number(options.out ?? 0),
    cached: 0,
    usd: Number(options.usd ?? 0),
  }
  return {
    ...fields,
    type: 'model.done',
    text,
    calls: wants ? [{ id: 'call', tool: name, args }] : [],
    usage,
    digest: digest([text, wants ? callKey(name, args) : '']),
    ...(telling.expectsCommand() ? { commandExpected: true as const } : {}),
  }
}

function resumed(telling: CoreScript, rest: string, options: Said['options']): AgentEvent {
  const [, decision = '', output = ''] = /^(\S+)\s*(.*)$/.exec(rest) ?? []
  const asked = telling.run().pending.find(({ type }) => type === 'interrupt')
  const effect = options.at === undefined ? asked : telling.effect(options.at)
  return {
    type: 'resume',
    effect: effect?.id ?? 'missing#1',
    decision: decision as Decision,
    ...(options.to === undefined ? {} : { to: options.to }),
    ...(options.rung === undefined ? {} : { rung: options.rung as ChosenRung }),
    ...(output === '' ? {} : { output: valueOf(output) }),
  }
}

/** Merges objects, and replaces all other values. */
function merged(before: Json, change: Json): Json {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change
  if (typeof before !== 'object' || before === null || Array.isArray(before)) return change
  const both: Record<string, Json> = { ...(before as Record<string, Json>) }
  for (const [key, value] of Object.entries(change)) both[key] = merged(both[key] ?? null, value)
  return both
}
