/** A deterministic stream of digested events for the watchdog, like that of a busy agent with ordinary failures. */
import type { Stamped } from '../../src/core/watch/event/event.ts'
import type { Failure } from '../../src/core/watch/failure/failure.ts'
import { POLICY, type Policy } from '../../src/core/watch/policy/policy.ts'
import { draw, callKey, hash } from '../../src/core/watch/data/json.ts'
import type { WatchInput } from '../../src/core/watch/regions.ts'

/** One event, and what the machine made of it. */
export interface BenchEvent {
  readonly event: Stamped
  readonly scene: WatchInput
}

/** Every detector on, every limit set. */
export const WATCHFUL: Policy = {
  ...POLICY,
  detect: { ...POLICY.detect, visits: { max: 32, window: 45_000 } },
  limits: {
    ...POLICY.limits,
    steps: 1e9,
    toolCalls: 1e9,
    modelCalls: 1e9,
    tokens: 1e12,
    usd: 1e9,
    duration: 1e12,
  },
}

/** Of ten events: four calls of tools, four answers, one failure for good, and by turns an entered state or an answer of a model. */
const MIX = [
  'called',
  'done',
  'called',
  'done',
  'called',
  'done',
  'called',
  'done',
  'failed',
  'other',
] as const

const TOOLS = ['read_file', 'grep', 'list_dir', 'search', 'write_file'] as const
const STATES = ['plan', 'act', 'observe', 'check'] as const

/** One answer in four has been given before, out of so many. */
const OLD_ANSWERS = 40

const FIRST_EVENT = 1_760_000_000_000

export function streamOf(first: number, count: number): readonly BenchEvent[] {
  return Array.from({ length: count }, (_, index) => happening(first + index))
}

function happening(seq: number): BenchEvent {
  const kind = MIX[seq % MIX.length] ?? 'other'
  const event = kind === 'other' ? otherEvent(seq) : callEvent(seq, kind)
  return { event, scene: watchInputOf(seq, event) }
}

function callEvent(seq: number, kind: 'called' | 'done' | 'failed'): Stamped {
  const chance = (purpose: string) => draw(1, seq, purpose)
  const old = chance('old') < 0.25 ? Math.floor(chance('which') * OLD_ANSWERS) : undefined
  const topic = old ?? seq
  const subject =
    TOOLS[old === undefined ? Math.floor(chance('tool') * TOOLS.length) : old % TOOLS.length] ??
    'grep'
  const effects = subject === 'write_file' ? ('write' as const) : ('read' as const)
  const call = {
    at: FIRST_EVENT + seq * 20,
    effect: `act#${seq}`,
    region: '',
    call: `act#${seq}/1`,
    subject,
    key: callKey(subject, { topic }),
  }
  if (kind === 'called')
    return { ...call, type: 'tool.called', args: { topic }, attempt: 1, effects, repeatable: true }
  if (kind === 'done')
    return {
      ...call,
      type: 'tool.done',
      result: `result ${topic}`,
      digest: { hash: hash(`result ${topic}`), length: 12 },
      effects,
    }
  return { ...call, type: 'tool.failed', failure: failureOf(seq), attempt: 1, final: true }
}

function failureOf(seq: number): Failure {
  const base = { name: 'Error', scope: 'request' as const, rule: 'bench' }
  if (seq % 3 === 0)
    return {
      ...base,
      message: `HTTP 503 from 10.0.${seq % 7}.1 after ${seq} ms: upstream connect error`,
      status: 503,
      class: 'transient',
    }
  if (seq % 3 === 1)
    return {
      ...base,
      message: `ENOENT: no such file or directory, open '/work/src/part-${seq % 50}.ts'`,
      code: 'ENOENT',
      class: 'persistent',
    }
  return {
    ...base,
    message: `line ${seq % 400} does not parse: unexpected token`,
    class: 'unknown',
  }
}

function otherEvent(seq: number): Stamped {
  const of = { at: FIRST_EVENT + seq * 20, effect: `plan#${seq}`, region: '' }
  if (seq % 20 < 10) return { ...of, type: 'node.done', output: null }
  const call = { ...of, call: `plan#${seq}/1`, subject: 'smart', key: callKey('smart', { seq }) }
  const digest = { hash: hash(`thought ${seq % 100}`), length: 120 }
  const calls = seq % 40 < 20 ? [{ id: `call-${seq}`, tool: 'grep', args: {} }] : []
  return {
    ...call,
    type: 'model.done',
    text: 'I shall look for it.',
    calls,
    usage: { input: 900, output: 60, cached: 0, usd: 0.001 },
    digest,
  }
}

const ROUTES: WatchInput['routes'] = {
  state: 'act',
  restrict: () => undefined,
  review: () => false,
  rethinks: () => false,
  rollback: () => ({ code: 'no-savepoint' }),
  leads: () => true,
  alternatives: () => [{ from: 'act', to: 'ask' }],
}

function watchInputOf(seq: number, event: Stamped): WatchInput {
  const state = STATES[Math.floor(seq / 20) % STATES.length] ?? 'plan'
  const entered =
    event.type === 'node.done'
      ? [{ state, region: '', hash: hash(`channels ${seq % 60}`), phase: false }]
      : []
  return { seq, region: '', entered, countsAsStep: false, waiting: false, routes: ROUTES }
}
