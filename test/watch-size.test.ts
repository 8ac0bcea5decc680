/** The state of the watchdog is bounded: forty tools with long names, in any mixture. */
import { expect, test } from 'vitest'
import { advance } from '../src/core/advance.ts'
import { withoutDefaultLimits } from './properties/endless.ts'
import { machineOfSpec } from '../src/core/graph/agent-machine.ts'
import { readSpec } from '../src/core/graph/spec/read.ts'
import type { Spec } from '../src/core/graph/spec/spec.ts'
import { type Run, initialRun } from '../src/core/run/run.ts'
import type { AgentEvent } from '../src/core/watch/event/event.ts'
import { draw, callKey, digest } from '../src/core/watch/data/json.ts'

/** 2 KB of it for the sketches by which near repetitions are known. */
const WATCH_MAX = 10_240

const named = (many: number, what: string) =>
  Array.from({ length: many }, (_, index) => `${what}_with_a_rather_long_name_${index}`)
const [states, tools] = [named(40, 'state'), named(40, 'tool')]

/** All states in a ring, and from each a way out to every other, without end. */
const machine = withoutDefaultLimits(
  machineOfSpec(
    readSpec({
      escapement: 1,
      id: 'large',
      start: states[0],
      nodes: Object.fromEntries(
        states.map((state, index) => [
          state,
          { use: 'pass', on: { done: states[(index + 1) % states.length] } },
        ]),
      ),
      limits: { steps: 1_000_000 },
      detect: { visits: 32, window: '1h' },
      escape: {
        alternatives: Object.fromEntries(
          states.map(state => [state, states.filter(other => other !== state)]),
        ),
        budget: { alternative: { perLoop: 1_000_000, total: 1_000_000 } },
      },
    }).spec as Spec,
  ),
)

test.each([2, 60, 4_000])(
  'a watch is at most 10 KB of JSON, with forty long names and %i different arguments',
  different => {
    const start = {
      type: 'thread.started',
      input: {},
      seed: 1,
      specHash: '',
      policy: machine.policy,
      versions: {},
      at: Date.UTC(2026, 0),
    } as const
    let run: Run = advance(machine, initialRun(start), start)
    let largest = 0
    for (let nth = 0; nth < 4_000; nth++) {
      for (const event of lap(run, nth, different))
        run = advance(machine, run, { ...event, at: run.at + 500 })
      largest = Math.max(largest, JSON.stringify(run.watch).length)
    }
    expect(run.ended).toBeUndefined()
    expect(largest).toBeLessThanOrEqual(WATCH_MAX)
  },
)

function lap(run: Run, nth: number, different: number): readonly AgentEvent[] {
  const pick = (many: number, what: string) => Math.floor(draw(7, nth, what) * many)
  const effect = run.pending[0]?.id ?? ''
  const of = { effect, region: '' }
  const what = pick(10, 'kind')
  const started: AgentEvent = { type: 'turn.started', epoch: 1, ...of }
  if (what < 3) return [started, { type: 'node.done', output: {}, ...of }]
  const [subject = '', first] = [tools[pick(tools.length, 'tool')], pick(different, 'args')]
  // Half of the calls combine values.
  const args = nth % 2 ? first : { first, second: pick(different, 'second'), third: null }
  const call = {
    ...of,
    call: `${effect}/${nth}`,
    subject,
    key: callKey(subject, args),
    ...(pick(3, 'more') > 0 ? { more: true as const } : {}),
  }
  const called: AgentEvent = {
    ...call,
    type: 'tool.called',
    args,
    attempt: 1,
    effects: 'read',
    repeatable: true,
  }
  if (what < 7)
    return [
      started,
      called,
      {
        ...call,
        type: 'tool.done',
        result: args,
        digest: digest(args),
        effects: pick(5, 'effects') === 0 ? 'write' : 'read',
      },
    ]
  const failure = {
    name: 'Error',
    message: `${subject} does not know it, and says so at length`,
    class: 'persistent',
    scope: 'request',
    rule: 'none',
  } as const
  return [started, called, { ...call, type: 'tool.failed', failure, attempt: 1, final: true }]
}
