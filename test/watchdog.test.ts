/** The watchdog without a machine, which hand-written loops and all wraps use. */
import { describe, expect, test } from 'vitest'
import { readSpec } from '../src/core/graph/spec/read.ts'
import {
  type ArrivedCall,
  breakerCell,
  defineDetector,
  type Turn,
  type Watchdog,
  type WatchdogOptions,
  type WatchdogRow,
  type WatchdogState,
  watchdog,
  POLICY,
  stopMessage,
} from '../src/watchdog.ts'

const REVIEW = { escape: { review: { deadline: 60_000, otherwise: 'stop' } } } as const

/** Turns of an agent with one tool call each; the clock advances one second per turn. */
function walk(
  options: WatchdogOptions,
  answer: (turn: number) => string | Error,
  turns: number,
  from = 0,
) {
  const rows: WatchdogRow[] = []
  const monitor = watchdog({ ...options, record: row => rows.push(row) })
  for (let turn = from; turn < from + turns && monitor.state.ended === undefined; turn++) {
    const at = turn * 1_000
    monitor.beforeModelCall(at)
    if (monitor.state.ended !== undefined) break
    const permit = monitor.permit('search', at, 0)
    const came = answer(turn)
    const outcome =
      permit.kind === 'no'
        ? permit.outcome
        : monitor.settle(permit, at + 1, came instanceof Error ? { error: came } : undefined)
    monitor.afterModelTurn({
      at,
      text: '',
      calls: [
        {
          tool: 'search',
          args: { q: 'x' },
          outcome,
          ...(came instanceof Error ? {} : { result: came }),
        },
      ],
    })
  }
  return { monitor, rows }
}

const stored = ({ state }: Watchdog) => JSON.parse(JSON.stringify(state)) as WatchdogState

const verdicts = (rows: readonly WatchdogRow[]) =>
  rows.flatMap(({ seq, verdict }) =>
    verdict.kind === 'escape' ? [`${seq} ${verdict.route.rung}`] : [],
  )

describe('the watchdog', () => {
  test('begins a journal, rethinks once, and stops a loop that continues', () => {
    const { monitor, rows } = walk({ agent: 'helper' }, () => 'nothing', 20)
    expect(rows[0]?.event).toMatchObject({
      type: 'thread.started',
      versions: { wrapped: 'helper' },
    })
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index))
    expect(verdicts(rows)).toEqual(['12 rethink', '24 stop'])
    expect(monitor.state.ended).toBe('loop')
    expect(rows.at(-1)?.ended).toBe('loop')
  })

  test('rethinks for exactly one turn', () => {
    const { monitor } = walk({}, () => 'nothing', 3)
    expect(monitor.pendingEscape?.route.rung).toBe('rethink')
    monitor.beforeModelCall(3_000)
    expect([monitor.pendingEscape, monitor.rethinking?.route.rung]).toEqual([undefined, 'rethink'])
    monitor.beforeModelCall(4_000)
    expect(monitor.rethinking).toBeUndefined()
  })

  test('continues from a state stored as JSON, with the same verdicts at the same events', () => {
    const whole = walk({}, () => 'nothing', 20)
    for (const turns of [1, 2, 3, 4, 5]) {
      const first = walk({}, () => 'nothing', turns)
      const rest = walk({ state: stored(first.monitor) }, () => 'nothing', 20 - turns, turns)
      expect([...first.rows, ...rest.rows]).toEqual(whole.rows)
    }
  })

  test('continues the rethinking of a stored state, for the same one turn', () => {
    const { monitor } = walk({}, () => 'nothing', 3)
    monitor.beforeModelCall(3_000)
    const other = watchdog({ state: stored(monitor) })
    expect(other.rethinking).toEqual(monitor.rethinking)
    expect(other.rethinking?.route.rung).toBe('rethink')
    other.beforeModelCall(4_000)
    expect(other.rethinking).toBeUndefined()
  })

  test('keeps a state of bounded size', () => {
    const { monitor } = walk(
      { policy: { limits: { steps: 2_000, modelCalls: 2_000, toolCalls: 2_000 } } },
      turn => `answer ${turn}`,
      1_000,
    )
    expect(monitor.state.turns).toBe(1_000)
    expect(JSON.stringify(monitor.state).length).toBeLessThan(16_384)
  })

  test('restarts from a state of another shape, and resets its detectors on a new version', () => {
    const { state } = walk({}, () => 'nothing', 2).monitor
    expect(watchdog({ state: { ...state, shape: 99 } }).state.seq).toBe(-1)
    const other = { ...state, watch: { ...state.watch, version: 'of old' } }
    const { rows } = walk({ state: other }, () => 'nothing', 3, 2)
    expect(rows[0]?.seq).toBe(state.seq + 1)
    expect(verdicts(rows)).toEqual([`${state.seq + 12} rethink`])
  })

  test.each([
    null,
    { shape: 1 },
    { shape: 1, seq: 'x', at: 0, turns: 0, watch: {} },
    { shape: 1, seq: 3, at: 0, turns: 1, watch: { version: 'x' } },
  ])('restarts from an invalid checkpoint: %j', state => {
    const { rows } = walk({ state: state as never }, () => 'nothing', 3)
    expect(verdicts(rows)).toEqual(['12 rethink'])
  })

  test.each(['pendingEscape', 'rethinking'] as const)(
    'restarts from a state with an incomplete escape: %s',
    key => {
      const { state } = walk({}, () => 'nothing', 3).monitor
      const broken = watchdog({ state: { ...state, [key]: { kind: 'escape' } as never } })
      expect([broken.state.seq, broken[key]]).toEqual([-1, undefined])
    },
  )

  test.each([
    'x',
    { detectorStates: 'x' },
    { detectorStates: [1, 2, 3], path: 3, held: [], round: {} },
    { detectorStates: [], path: [], held: [], round: { out: 3 } },
  ])('resets the detectors of an invalid region: %j', region => {
    const { monitor } = walk({}, () => 'nothing', 2)
    const state = {
      ...monitor.state,
      watch: { ...monitor.state.watch, regions: { '': region } },
    } as unknown as WatchdogState
    expect(verdicts(walk({ state }, () => 'nothing', 10, 2).rows)).not.toEqual([])
  })

  test('only reports in observe mode, and ends a run only at an explicit limit', () => {
    const long = walk({ policy: { mode: 'observe' } }, turn => `answer ${turn}`, 150)
    expect([long.monitor.state.turns, long.monitor.state.ended]).toEqual([150, undefined])
    expect(
      walk({ policy: { mode: 'observe', limits: { steps: 20 } } }, turn => `answer ${turn}`, 30)
        .monitor.state.ended,
    ).toBe('budget.steps')
  })

  test('only reports loops in observe mode', () => {
    const { monitor, rows } = walk({ policy: { mode: 'observe' } }, () => 'nothing', 10)
    expect(rows.some(({ verdict }) => verdict.kind === 'warn')).toBe(true)
    expect([monitor.pendingEscape, monitor.state.ended]).toEqual([undefined, undefined])
  })

  test('applies a limit before the call that would exceed it', () => {
    const { monitor, rows } = walk(
      { policy: { limits: { toolCalls: 3 } } },
      turn => `answer ${turn}`,
      10,
    )
    expect(monitor.state.watch.account.spent.toolCalls).toBe(3)
    expect(monitor.state.ended).toBe('budget.toolCalls')
    expect(rows.filter(({ event }) => event.type === 'tool.done')).toHaveLength(3)
    const fresh = watchdog({ policy: { limits: { toolCalls: 2 } } })
    expect([0, 1, 2].map(place => fresh.permit('search', 0, place).kind)).toEqual([
      'go',
      'go',
      'no',
    ])
  })

  test('records no model call after its end, and starts again with a message', () => {
    const rows: WatchdogRow[] = []
    const { monitor: before } = walk({}, () => 'nothing', 10)
    const monitor = watchdog({ state: stored(before), record: row => rows.push(row) })
    expect(monitor.beforeModelCall(20_000)).toEqual({ kind: 'continue' })
    expect([rows, monitor.state]).toEqual([[], before.state])
    expect(() => monitor.beforeModelCall(Number.NaN)).toThrow(TypeError)
    monitor.userMessage('Find another.', 90_000)
    monitor.beforeModelCall(91_000)
    expect(rows.map(({ event }) => event.type)).toEqual(['message', 'model.called'])
  })

  test('records nothing after its end, whatever is called, and all of the turn that ends it', () => {
    const { monitor, rows } = walk({}, () => 'nothing', 10)
    const [{ state }, count] = [monitor, rows.length]
    expect(rows.at(-1)?.ended).toBe('loop')
    const outcome = { began: 9_000_000, ended: 9_000_001 }
    const call = { tool: 'search', args: {}, result: 'new', outcome }
    const waiting = [{ id: '1', tool: 'wait', args: {} }]
    const at = 9_000_002
    const verdicts = [
      monitor.beforeModelCall(at),
      monitor.afterModelTurn({ text: '', calls: [call], waiting, at }),
      monitor.afterWaitingCalls([{ id: '1', tool: 'wait', args: {}, outcome, result: 1 }]),
      monitor.resolveReview('approved', at),
      monitor.observe({ type: 'cancel', reason: 'late', at }),
    ]
    const permit = monitor.permit('search', at, 0)
    if (permit.kind === 'go') monitor.settle(permit, at, { error: new Error('down') })
    expect(verdicts.map(({ kind }) => kind)).toEqual(Array(5).fill('continue'))
    expect([rows.length, monitor.state]).toEqual([count, state])

    const twoRows: WatchdogRow[] = []
    const policy = { mode: 'observe', limits: { toolCalls: 1 } } as const
    const two = watchdog({ policy, record: row => twoRows.push(row) })
    two.beforeModelCall(1)
    two.afterModelTurn({ text: '', calls: [call, { ...call, tool: 'list' }], at: 1 })
    expect(two.state.ended).toBe('budget.toolCalls')
    const ends = twoRows.flatMap(({ event }) => (event.type === 'tool.done' ? [event.subject] : []))
    expect(ends).toEqual(['search', 'list'])
  })

  test('previews the verdict on the next turn without a change', () => {
    const { monitor } = walk({ policy: { limits: { modelCalls: 2 } } }, turn => `answer ${turn}`, 2)
    const before = monitor.state
    expect(monitor.preview(2_000)).toMatchObject({ kind: 'escape', route: { rung: 'stop' } })
    expect(monitor.state).toBe(before)
    monitor.beforeModelCall(2_000)
    expect(monitor.state.ended).toBe('budget.modelCalls')
  })

  test('applies a finding in a batch after the last call has returned', () => {
    const rows: WatchdogRow[] = []
    const monitor = watchdog({ record: row => rows.push(row) })
    const call = { tool: 'search', args: {}, result: 'nothing', outcome: { began: 0, ended: 1 } }
    const other = { ...call, tool: 'list' }
    for (const calls of [[call], [call], [call, other]])
      monitor.afterModelTurn({ at: 0, text: '', calls })
    expect(verdicts(rows)).toEqual([`${rows.length - 1} rethink`])
  })
})

/** Two thousand words, others in each turn. */
const wordsOf = (turn: number) =>
  Array.from(
    { length: 2_000 },
    (_, index) => `w${((turn * 2_000 + index) * 7_919) % 999_983}`,
  ).join(' ')

test('an answer without usage counts an estimate of its tokens and its cost', () => {
  const monitor = watchdog({ policy: { limits: { usd: 0.1 } }, price: { input: 3, output: 15 } })
  let turns = 0
  while (monitor.state.ended === undefined && turns < 90) {
    monitor.beforeModelCall(turns)
    if (monitor.state.ended !== undefined) break
    turns++
    monitor.afterModelTurn({ at: turns, text: wordsOf(turns) })
  }
  expect(monitor.state.ended).toBe('budget.usd')
})

test.each([{ input: 100 }, { input: 100, output: 0 }, { input: 100, output: 1 }])(
  'an answer that reports %j costs its input and an estimate of its output',
  usage => {
    const monitor = watchdog({ policy: { limits: { tokens: 5_000 } } })
    for (let turn = 0; turn < 2; turn++) {
      monitor.beforeModelCall(2 * turn)
      monitor.afterModelTurn({ at: 2 * turn + 1, text: wordsOf(turn), usage })
    }
    monitor.beforeModelCall(4)
    expect(monitor.state.ended).toBe('budget.tokens')
  },
)

test('an answer that reports only its output costs at least that', () => {
  const monitor = watchdog({ policy: { limits: { tokens: 5_000 } } })
  monitor.beforeModelCall(0)
  monitor.afterModelTurn({ at: 1, text: 'Done.', usage: { input: 0, output: 6_000 } })
  monitor.beforeModelCall(2)
  expect(monitor.state.ended).toBe('budget.tokens')
})

test.each<[string, Omit<Turn, 'at'>]>([
  [
    'arguments that are stored in part',
    {
      text: '',
      calls: [
        {
          tool: 'write_file',
          args: { text: 'x'.repeat(40_000) },
          result: 'ok',
          outcome: { began: 0, ended: 0 },
        },
      ],
    },
  ],
  [
    'arguments of a call that waits',
    { text: '', waiting: [{ tool: 'edit', args: 'x'.repeat(40_000) }] },
  ],
  ['reasoning', { text: '', hidden: 40_000 }],
  [
    'reasoning that a report leaves out',
    { text: '', hidden: 40_000, usage: { input: 9, output: 9 } },
  ],
])('an estimate counts %s', (_, turn) => {
  const monitor = watchdog()
  monitor.beforeModelCall(0)
  monitor.afterModelTurn({ at: 1, ...turn })
  const { tokens } = monitor.state.watch.account.spent
  expect([tokens >= 10_000, tokens < 10_020]).toEqual([true, true])
})

test.each([Number.NaN, -40_000, Number.POSITIVE_INFINITY])(
  '%d hidden characters do not count',
  hidden => {
    const monitor = watchdog()
    monitor.beforeModelCall(0)
    monitor.afterModelTurn({ at: 1, text: 'Done', hidden })
    expect(monitor.state.watch.account.spent.tokens).toBe(1)
  },
)

describe('an answer that only repeats itself', () => {
  const text = 'I will do it now. '.repeat(60)

  test('rethinks the first time, and ends the run the second time', () => {
    const monitor = watchdog({})
    expect([
      monitor.beforeModelCall(0).kind,
      monitor.afterModelTurn({ at: 1, text }),
      monitor.pendingEscape?.because[0]?.reason,
    ]).toMatchObject([
      'continue',
      { kind: 'escape', route: { rung: 'rethink' } },
      { code: 'degenerate-output', params: { speaker: 'model' } },
    ])
    monitor.beforeModelCall(2)
    monitor.afterModelTurn({ at: 3, text })
    expect(monitor.state.ended).toBe('degenerateOutput')
  })

  test('is only reported in observe mode, and ignored if its detector is off', () => {
    const observing = watchdog({ policy: { mode: 'observe' } })
    expect([observing.afterModelTurn({ at: 1, text }).kind, observing.pendingEscape]).toEqual([
      'warn',
      undefined,
    ])
    expect(
      watchdog({ policy: { detect: { degenerateOutput: false } } }).afterModelTurn({ at: 1, text })
        .kind,
    ).toBe('continue')
  })
})

test('`escape.unattended` is rejected: a watchdog does not know whether a person follows', () => {
  const policy = { escape: { unattended: { ladder: ['stop'] } } }
  expect(() => watchdog({ policy })).toThrow(
    'policy.escape.unattended: has no effect in a wrapped agent; set escape.ladder or mode',
  )
})

describe('a limit of money', () => {
  const usage = { input: 20_000, output: 500 }
  const policy = { limits: { usd: 0.2, round: { usd: 0.1 } } }
  const unpriced = /^policy\.limits\.usd: has no effect without the price of the model; set `price/

  test('without a price is rejected as soon as a turn has cost nothing', () => {
    const monitor = watchdog({ policy })
    monitor.afterModelTurn({ at: 1, text: 'Looking.', usage })
    expect(() => monitor.afterModelTurn({ at: 2, text: 'Looking on.', usage })).toThrow(unpriced)
  })

  test('of a scope is rejected without a price, too', () => {
    const monitor = watchdog({ policy: { limits: { scopes: { customer: { usd: 0.1 } } } } })
    monitor.afterModelTurn({ at: 1, text: 'Looking.', usage })
    expect(() => monitor.afterModelTurn({ at: 2, text: 'Looking on.', usage })).toThrow(
      /^policy\.limits\.scopes\.customer\.usd: has no effect without the price/,
    )
  })

  test('counts costs that the caller observes, and the price 0', () => {
    const price = { input: 0, output: 0 }
    const free = watchdog({ policy, price })
    const paid = watchdog({ policy })
    for (let at = 1; at < 4; at++) {
      free.afterModelTurn({ at, text: `Step ${at}.`, usage })
      paid.afterModelTurn({ at, text: `Step ${at}.`, usage })
      const cost = { ...usage, cached: 0, usd: 0.15 }
      paid.observe({
        type: 'call.late',
        kind: 'model',
        effect: 'a#1',
        attempt: 1,
        usage: cost,
        at,
      } as never)
    }
    for (const monitor of [free, paid]) monitor.beforeModelCall(5)
    expect([free.state.ended, paid.state.ended]).toEqual([undefined, 'budget.usd'])
  })
})

test.each([
  [{ polcy: {} }, "polcy: is unknown; did you mean 'policy'?"],
  [{ limits: {} }, /^limits: is unknown; expected one of: policy, price, state, /],
  [{ state: { junk: 1 } }, 'state: is a map without a shape; expected the `state` of an earlier'],
  [{ state: 5 }, 'state: is number; expected the `state` of an earlier watchdog'],
  [{ state: [] }, 'state: is a list; expected the `state` of an earlier watchdog'],
])('the options %j are rejected', (options, message) => {
  expect(() => watchdog(options as never)).toThrow(message)
})

test.each([
  [{ at: 1 }, 'turn.text: is missing; expected a text'],
  [{ text: null, at: 1 }, 'turn.text: expected a text, received nothing'],
  [
    { text: '', calls: { tool: 'pay' }, at: 1 },
    'turn.calls: expected a list of calls, received a map',
  ],
  [{ text: '', calls: [{ args: {} }], at: 1 }, 'turn.calls[0].tool: is missing; expected a text'],
  [{ text: '', waiting: [{}], at: 1 }, 'turn.waiting[0].tool: is missing; expected a text'],
  [undefined, 'turn: is missing; expected object'],
])('the turn %j is rejected', (turn, message) => {
  const monitor = watchdog()
  monitor.beforeModelCall(0)
  const before = monitor.state
  expect(() => monitor.afterModelTurn(turn as never)).toThrow(new TypeError(message))
  expect(monitor.state).toBe(before)
})

test('`escape.learn` is rejected: a watchdog has no store to learn from', () => {
  expect(() => watchdog({ policy: { escape: { learn: true } } })).toThrow(
    'policy.escape.learn: has no effect in a wrapped agent; set escape.orders',
  )
})

describe('the reason of a stop', () => {
  test('counts the attempts that a dead tool really made, without refused calls', () => {
    const dead = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const { monitor, rows } = walk({}, () => dead, 20)
    const types = rows.map(({ event }) => event.type)
    expect(types).toContain('circuit.refused')
    expect(monitor.state.ended).toBe('loop')
    expect(monitor.state.because?.cause).toMatchObject({
      code: 'call-failed',
      params: { call: 'search', times: types.filter(type => type === 'tool.called').length },
    })
  })

  test('does not claim that an agent called no tool if it repeats a paragraph between calls', () => {
    const monitor = watchdog()
    const text = 'Now I look at the configuration, because the port is in use. '.repeat(6)
    for (let turn = 0; monitor.state.ended === undefined && turn < 20; turn++) {
      monitor.beforeModelCall(turn)
      const page = 'abcdefghijklmnopqrst'[turn]
      const outcome = { began: turn, ended: turn }
      const call = { tool: 'read', args: { page }, result: `on page ${page}`, outcome }
      monitor.afterModelTurn({ at: turn, text, calls: [call] })
    }
    expect(stopMessage(monitor.state)).toBe(
      'Stopped by the watchdog (loop): model repeated the same paragraph 3 times.',
    )
  })
})

describe('breakers', () => {
  const broken = () => Object.assign(new Error('HTTP 503: no'), { status: 503 })

  test('stay open for their full time if the clock is set back by an hour', () => {
    const breakers = breakerCell()
    const monitor = walk({ breakers }, broken, 3, 3_600).monitor
    expect(monitor.unavailableTools(5_000)).toEqual(['search'])
    expect(monitor.permit('search', 6_000, 0).kind).toBe('no')
    expect([monitor.unavailableTools(35_001), monitor.permit('search', 35_001, 0)]).toMatchObject([
      [],
      { kind: 'go', admission: 'probe' },
    ])
    expect(monitor.permit('search', 10_000, 0).kind).toBe('no')
    expect(monitor.permit('search', 40_001, 0)).toMatchObject({ kind: 'go', admission: 'probe' })
  })

  test('of recovered tools are dropped, and only the latest of invented names are kept', () => {
    const cell = breakerCell()
    const { settle, permit } = watchdog({ breakers: cell })
    const call = (tool: string, at: number, error?: Error) => {
      const go = permit(tool, at, 0)
      return go.kind === 'go' && settle(go, at, error && { error })
    }
    call('search', 0, new Error('out of order'))
    call('search', 1)
    expect(cell.table).toEqual({})
    for (let at = 0; at < 3; at++) call('dead', at, new Error('out of order'))
    for (let at = 3; at < 1_000; at++) call(`invented${at}`, at, new Error('out of order'))
    expect(Object.keys(cell.table).length).toBe(256)
    expect(permit('dead', 1_000, 0)).toMatchObject({ kind: 'no' })
  })

  test('ignore arguments that never reached the tool', () => {
    const breakers = breakerCell()
    const { monitor } = walk({ breakers }, broken, 3)
    const probe = monitor.permit('search', 40_000, 0)
    if (probe.kind === 'go')
      monitor.settle(probe, 40_001, {
        error: { name: 'InvalidArguments', message: 'q is missing' },
      })
    expect(breakers.table['tool:search']?.state).toBe('half-open')
    expect(monitor.permit('search', 40_002, 0)).toMatchObject({ kind: 'go', admission: 'probe' })
  })

  test('work for a tool with an unusual name', () => {
    const breakers = breakerCell({
      'tool:constructor': { state: 'open', failures: 3, openedAt: 0, retryAt: 100 },
    })
    const monitor = watchdog({ breakers, substitutes: {} })
    expect([
      monitor.unavailableTools(1),
      monitor.permit('constructor', 1, 0).kind,
      monitor.permit('__proto__', 1, 0).kind,
    ]).toEqual([['constructor'], 'no', 'go'])
  })

  test('are shared by agents with the same cell, which make one probe in total', () => {
    const breakers = breakerCell()
    walk({ breakers }, broken, 3)
    const other = watchdog({ breakers })
    expect(other.unavailableTools(5_000)).toEqual(['search'])
    const refused = other.permit('search', 5_000, 0)
    expect(refused).toMatchObject({
      kind: 'no',
      outcome: { failure: { name: 'CircuitOpen' }, retryAt: 32_001 },
    })
    const probe = other.permit('search', 40_000, 0)
    expect(probe).toMatchObject({ kind: 'go', admission: 'probe' })
    expect(other.permit('search', 40_001, 0).kind).toBe('no')
    expect(probe.kind === 'go' && other.settle(probe, 41_000)).toMatchObject({
      probe: true,
      circuit: { change: 'closed' },
    })
    expect(other.unavailableTools(42_000)).toEqual([])
  })

  test('hide nothing and refuse nothing in observe mode', () => {
    const breakers = breakerCell()
    walk({ breakers }, broken, 3)
    const monitor = watchdog({
      breakers,
      substitutes: { search: 'archive' },
      policy: { mode: 'observe' },
    })
    expect([monitor.unavailableTools(5_000), monitor.permit('search', 5_000, 0)]).toEqual([
      [],
      { kind: 'go', tool: 'search', admission: 'pass', began: 5_000 },
    ])
  })

  test('use a substitute if one exists, and hide nothing', () => {
    const breakers = breakerCell()
    const { rows } = walk({ breakers }, broken, 3)
    expect(rows.filter(({ event }) => event.type === 'circuit.opened')).toHaveLength(1)
    const monitor = watchdog({ breakers, substitutes: { search: 'archive' } })
    expect(monitor.unavailableTools(5_000)).toEqual([])
    const permit = monitor.permit('search', 5_000, 0)
    expect(permit).toMatchObject({ kind: 'go', tool: 'archive', instead: { by: 'archive' } })
  })

  test('ignore a request failure of a tool', () => {
    const breakers = breakerCell()
    walk({ breakers }, () => Object.assign(new Error('no such page'), { status: 404 }), 3)
    expect(watchdog({ breakers }).unavailableTools(3_001)).toEqual([])
  })
})

describe('a person', () => {
  const asking = () =>
    walk(
      { policy: { escape: { ...REVIEW.escape, ladder: ['review', 'stop'] } } },
      () => 'nothing',
      3,
    ).monitor

  test('is asked if a reviewer exists, and may continue the run', () => {
    const monitor = asking()
    expect(monitor.pendingEscape?.route.rung).toBe('review')
    monitor.resolveReview('approved', 10_000)
    expect([monitor.pendingEscape, monitor.state.ended]).toEqual([undefined, undefined])
  })

  test.each([
    ['aproved', /^answer: expected one of .*, received "aproved"; did you mean 'approved'\?$/],
    [undefined, "answer: is missing; expected one of 'approved', 'dismiss', 'rejected', 'stop'"],
    [true, /^answer: expected one of .*, received true$/],
  ])('gives no consent with the answer %j', (answer, message) => {
    const monitor = asking()
    const before = monitor.state
    expect(() => monitor.resolveReview(answer as never, 10_000)).toThrow(message)
    expect(monitor.state).toBe(before)
    const event = { type: 'resume', effect: 'agent#ask', decision: answer, at: 10_000 }
    expect(() => monitor.observe(event as never)).toThrow(/^decision: .*expected one of 'approved'/)
    expect(monitor.state).toBe(before)
  })

  test('may dismiss a loop, which is not reported again', () => {
    const monitor = asking()
    monitor.resolveReview('dismiss', 10_000)
    const { rows } = walk(
      { state: monitor.state, policy: { escape: REVIEW.escape } },
      () => 'nothing',
      10,
      20,
    )
    expect(verdicts(rows)).toEqual([])
  })

  test('ignores an answer after the deadline, and applies the default', () => {
    const monitor = asking()
    monitor.resolveReview('approved', 100_000)
    expect(monitor.state.ended).toBe('stop')
  })

  test('causes no wall time while the agent waits', () => {
    const monitor = asking()
    const { duration } = monitor.state.watch.account.spent
    monitor.resolveReview('approved', 50_000)
    expect(monitor.state.watch.account.spent.duration).toBe(duration)
  })
})

describe('a call that waits', () => {
  /** Requests one call in each turn; its result arrives before the next turn, together with all earlier ones. */
  function waits(resultOf: (turn: number) => string, turns: number) {
    const rows: WatchdogRow[] = []
    const monitor = watchdog({ record: row => rows.push(row) })
    const outcome = { began: 0, ended: 0 }
    const arrived: ArrivedCall[] = []
    for (let turn = 0; turn < turns && monitor.state.ended === undefined; turn++) {
      monitor.afterWaitingCalls(arrived)
      monitor.beforeModelCall(turn)
      const call = { id: `c${turn}`, tool: 'read', args: {} }
      monitor.afterModelTurn({ at: turn, text: '', waiting: [call] })
      arrived.push({ ...call, outcome, result: resultOf(turn) })
    }
    return { monitor, rows, arrived }
  }

  test('counts when its result arrives, once, under its place in the journal', () => {
    const { monitor, rows, arrived } = waits(turn => `page ${'abcde'[turn]}`, 3)
    monitor.userMessage('Go on, please.', 3)
    const calls = () => rows.flatMap(({ event }) => (event.type === 'tool.done' ? event.call : []))
    expect([calls(), monitor.state.waiting?.length]).toEqual([['agent#1/1', 'agent#2/1'], 1])
    monitor.afterWaitingCalls(arrived)
    monitor.afterWaitingCalls(arrived)
    expect([calls().at(-1), calls().length, monitor.state.waiting]).toEqual(['agent#3/1', 3, []])
  })

  test('does not repeat its text, and is a loop if its results are the same', () => {
    expect(
      waits(turn => `page ${'abcdefghijklmnop'[turn]}`, 16).monitor.state.ended,
    ).toBeUndefined()
    expect(waits(() => 'page', 16).monitor.state.because?.code).toBe('repeated-sequence')
  })

  test('is forgotten if too many wait', () => {
    const monitor = watchdog()
    const waiting = Array.from({ length: 200 }, (_, id) => ({
      id: `c${id}`,
      tool: 'read',
      args: {},
    }))
    monitor.afterModelTurn({ at: 0, text: '', waiting })
    expect(JSON.stringify(monitor.state.waiting).length).toBeLessThan(2_500)
  })
})

describe('a user message', () => {
  /** One message, one call with one answer, one word back. */
  function talk(monitor: Watchdog, said: string, at: number) {
    monitor.userMessage(said, at)
    monitor.beforeModelCall(at)
    const permit = monitor.permit('order', at, 0)
    if (permit.kind === 'go')
      monitor.afterModelTurn({
        at,
        text: '',
        calls: [
          {
            tool: 'order',
            args: { id: 7 },
            outcome: monitor.settle(permit, at),
            result: '1 clock, sent',
          },
        ],
      })
    monitor.beforeModelCall(at)
    monitor.afterModelTurn({ at, text: `As to "${said}": see above.` })
  }
  const talked = (monitor: Watchdog, words: (turn: number) => string, turns: number) => {
    for (let turn = 0; turn < turns && monitor.pendingEscape === undefined; turn++)
      talk(monitor, words(turn), turn * 1_000)
    return monitor.state
  }

  test('begins another round if it is new, which allows the same lookups again', () => {
    expect(
      talked(
        watchdog(),
        turn => `And what of the ${String.fromCharCode(97 + (turn % 26)).repeat(1 + turn / 26)}?`,
        200,
      ),
    ).toMatchObject({ turns: 400 })
  })

  /** A message each, and what the agent does about it: one call that is the same each time, one that is another, and a word. */
  const dealtWith = (
    says: (turn: number) => string,
    calls: (turn: number) => readonly (readonly [tool: string, args: object, result: string])[],
  ) => {
    const monitor = watchdog()
    for (let turn = 0; turn < 150 && monitor.state.ended === undefined; turn++) {
      const at = turn * 1_000
      monitor.userMessage(says(turn), at)
      for (const [tool, args, result] of calls(turn)) {
        monitor.beforeModelCall(at)
        monitor.afterModelTurn({
          at,
          text: '',
          calls: [{ tool, args, result, outcome: { began: at, ended: at } }],
        })
      }
      monitor.beforeModelCall(at)
      monitor.afterModelTurn({ at, text: `As to ${turn}: done.` })
    }
    return monitor.state
  }
  const policy = ['policy', {}, 'It may be sent back for 30 days.'] as const

  test.each([
    [
      'a question about something else of the same kind, which is looked up',
      (turn: number) => [policy, ['order', { id: turn }, `${turn * 7} clocks, sent`] as const],
    ],
    ['a question that the model answers by itself', () => []],
  ])('may differ only in a number: %s', (_, calls) => {
    const state = dealtWith(turn => `What of order ${turn}?`, calls)
    expect([state.ended, state.pendingEscape]).toEqual([undefined, undefined])
  })

  test.each([
    ['a request', (turn: number) => `Check invoice ${turn}.`],
    ['a name', (turn: number) => `A-${10_037 + turn}`],
    ['a guess', (turn: number) => `${1_000 - turn}`],
    ['a date', (turn: number) => `2026-05-01T08:00:00.${turn}Z`],
  ])('of a chat may differ only in a number, with the same answer: %s', (_, says) => {
    const monitor = watchdog()
    let turn = 0
    for (; turn < 40 && monitor.pendingEscape === undefined; turn++) {
      monitor.userMessage(says(turn), turn * 1_000)
      monitor.beforeModelCall(turn * 1_000)
      monitor.afterModelTurn({ at: turn * 1_000, text: 'It is on its way to you.' })
    }
    expect(turn).toBe(40)
  })

  test.each([
    [
      'a clock',
      (turn: number) =>
        `It is ${String(turn % 24).padStart(2, '0')}:${String((turn * 7) % 60).padStart(2, '0')} (${turn} min left). Continue.`,
    ],
    [
      'a date',
      (turn: number) => `[2026-03-01T08:${String(turn % 60).padStart(2, '0')}:00.${turn}Z] go on`,
    ],
    ['a counter', (turn: number) => `Step ${turn}: go on`],
    ['a counter in words of another script', (turn: number) => `第${turn}步：继续`],
    ['an id', (turn: number) => `Go on (run 3f2b8c1e-${4096 + turn}-4c1d-9a77-0d5e${turn}).`],
    ['a record', (turn: number) => JSON.stringify({ go: 'on', step: turn })],
    ['a counter of a question', (turn: number) => `Are you done? (${turn})`],
    ['a counter before a question', (turn: number) => `Step ${turn}: are you done?`],
    [
      'a clock before a question',
      (turn: number) => `It is 12:${String(turn % 60).padStart(2, '0')}. Are you done?`,
    ],
    ['a counter after a question', (turn: number) => `Are you done? ${turn}/100`],
  ])('does not begin a round because of %s', (_, says) => {
    const state = dealtWith(says, turn => [policy, ['list', { from: turn }, '']])
    expect([state.ended, state.turns < 40]).toEqual(['loop', true])
  })

  test.each([
    ['go on, again and again', () => 'Go on.'],
    [
      'two observations in turn',
      (turn: number) => (turn % 2 === 0 ? 'It is locked.' : 'It is closed.'),
    ],
  ])('does not reset the loop if it is %s', (_, words) => {
    expect(talked(watchdog(), words, 20).pendingEscape?.because[0]?.kind).toBe('loop')
  })

  test('does not answer an open review', () => {
    const monitor = watchdog({
      policy: { escape: { ladder: ['review', 'stop'], ...REVIEW.escape } },
    })
    talked(monitor, () => 'Go on.', 20)
    monitor.userMessage('Something else.', 60_000)
    expect(monitor.pendingEscape?.route.rung).toBe('review')
  })

  test('starts a round with a default limit of 100 turns, and the time between rounds does not count', () => {
    const turn = (monitor: Watchdog, at: number) => {
      monitor.beforeModelCall(at)
      monitor.afterModelTurn({ at, text: `answer ${at}` })
    }
    const monitor = watchdog({ policy: { limits: { duration: 1_000 } } })
    for (const round of [0, 1, 2]) {
      monitor.userMessage(`task ${round}`, round * 1_000_000)
      for (let at = 0; at < 100; at++) turn(monitor, round * 1_000_000 + at)
    }
    expect(monitor.state.ended).toBeUndefined()
    turn(monitor, 2_000_100)
    expect(monitor.state.ended).toBe('budget.round.steps')
  })

  test('begins a round with its own limits: the call beyond one is not made', () => {
    const monitor = watchdog({ policy: { limits: { round: { toolCalls: 2 } } } })
    for (const round of [0, 1, 2]) {
      monitor.userMessage(`task ${round}`, round)
      monitor.beforeModelCall(round)
      const permits = [0, 1, 2].map(place => monitor.permit('list', round, place))
      expect(permits.map(({ kind }) => kind)).toEqual(['go', 'go', 'no'])
      const calls = permits.map((permit, place) => ({
        tool: 'list',
        args: { round, place },
        outcome: permit.kind === 'go' ? monitor.settle(permit, round) : permit.outcome,
        result: [round, place],
      }))
      monitor.afterModelTurn({ at: round, text: '', calls })
      expect(monitor.state.ended).toBe('budget.round.toolCalls')
    }
  })

  test('is recorded, the first one as the input of the thread', () => {
    const rows: WatchdogRow[] = []
    const monitor = watchdog({ record: row => rows.push(row) })
    talked(monitor, turn => ['What have I ordered?', 'Is it paid?'][turn] ?? '', 2)
    expect(
      rows.flatMap(({ event }) => ('input' in event ? [[event.type, event.input]] : [])),
    ).toEqual([
      ['thread.started', 'What have I ordered?'],
      ['message', 'Is it paid?'],
    ])
  })
})

describe('a broken custom detector', () => {
  const observing: readonly (readonly [
    string,
    (state: never, sighting: never) => unknown,
    string | RegExp,
  ])[] = [
    ['throws', () => thrown(new Error('boom')), 'boom'],
    ['throws nothing', () => thrown(null), 'null'],
    [
      'never settles',
      () => new Promise(() => {}),
      'it returned a promise; expected a synchronous result',
    ],
    ['returns a state that is not JSON', () => [() => 1, undefined], 'its state is a function'],
    [
      'finds what is of no kind',
      () => [0, { kind: 'doom', summary: 'all is lost' }],
      'unknown kind of finding; expected loop, stall, noToolCall',
    ],
    [
      'finds what is nothing',
      () => [0, null],
      'unknown kind of finding; expected loop, stall, noToolCall',
    ],
    [
      'writes into what it remembers',
      (state: { seen: number }) => [state, void state.seen++],
      /read only/,
    ],
    [
      'writes into what it is shown',
      (_: unknown, sighting: { ok: boolean }) => [0, void Object.assign(sighting, { ok: true })],
      /read only/,
    ],
  ]
  test.each(observing)('that %s is reported and does not affect the run', (_, observe, why) => {
    const detector = defineDetector({
      name: 'own',
      version: 1,
      start: { seen: 0 },
      sees: ['answered'],
      observe: observe as never,
    })
    const { monitor, rows } = walk({ parts: { detectors: [detector] } }, () => 'nothing', 20)
    expect(monitor.state.watch.detectorErrors).toEqual({
      'detector own': {
        since: 4,
        times: expect.any(Number),
        why: typeof why === 'string' ? why : expect.stringMatching(why),
      },
    })
    expect(monitor.state.watch.detectorErrors?.['detector own']?.times).toBeGreaterThan(3)
    expect(verdicts(rows)).toEqual(verdicts(walk({}, () => 'nothing', 20).rows))
  })
})

function thrown(what: unknown): never {
  throw what
}

test('a new message to a stopped agent begins another round, and spending is kept', () => {
  const { monitor } = walk({}, () => 'nothing', 20)
  const { toolCalls } = monitor.state.watch.account.spent
  monitor.userMessage('Try the other one.', 60_000)
  expect([monitor.state.ended, monitor.pendingEscape]).toEqual([undefined, undefined])
  expect(monitor.state.watch.account.spent.toolCalls).toBe(toolCalls)
})

test('stores values that are long or not JSON as text of bounded length', () => {
  const rows: WatchdogRow[] = []
  const monitor = watchdog({ record: row => rows.push(row) })
  const circular: Record<string, unknown> = { a: 1 }
  circular.self = circular
  monitor.beforeModelCall(0)
  const outcome = { began: 0, ended: 1 }
  monitor.afterModelTurn({
    at: 0,
    text: 'x'.repeat(100_000),
    calls: [{ tool: 't', args: circular, result: 10n, outcome }],
  })
  expect(JSON.stringify(rows).length).toBeLessThan(30_000)
  expect(rows.find(({ event }) => event.type === 'tool.done')?.event).toMatchObject({
    result: '10',
  })
})

const nested = (depth: number) => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
const itself: Record<string, unknown> = Object.assign(Object.create(null), { a: 1 })
itself.self = itself

test.each([
  ['what refers back to itself', itself, { a: 1, self: '[seen before]' }],
  ['big numbers in it', { id: 10n }, { id: '10' }],
  ['what is not there', { a: undefined, b: 1 }, { b: 1 }],
  ['a map', new Map([['a', new Set([1])]]), [['a', [1]]]],
  ['an error', new TypeError('no'), { name: 'TypeError', message: 'no' }],
  ['bytes', new Uint8Array(5_000_000), expect.stringMatching(/^5000000 bytes \w+$/)],
  [
    'an object that cannot be serialized',
    {
      toJSON() {
        throw new Error('no')
      },
    },
    'a foreign object',
  ],
  ['a nesting without end', nested(100_000), 'a foreign object'],
  ['a deep nesting', nested(1_000), expect.stringMatching(/^\[{1000}1\]{1000}$/)],
])('records a result with %s', (_, result, kept) => {
  const rows: WatchdogRow[] = []
  const monitor = watchdog({ record: row => rows.push(row) })
  monitor.afterModelTurn({
    at: 0,
    text: '',
    calls: [
      {
        tool: 't',
        args: JSON.parse('{"__proto__":{"polluted":true}}'),
        result,
        outcome: { began: 0, ended: 1 },
      },
    ],
  })
  expect(rows.find(({ event }) => event.type === 'tool.done')?.event).toMatchObject({
    result: kept,
  })
  expect('polluted' in {}).toBe(false)
})

test('results that differ only in values that JSON cannot represent are not a repetition', () => {
  const monitor = watchdog({})
  for (let turn = 0; turn < 8; turn++)
    monitor.afterModelTurn({
      at: turn,
      text: '',
      calls: [
        {
          tool: 'page',
          args: { from: BigInt(turn) },
          result: { items: new Map([[turn * 7, 'x']]) },
          outcome: { began: turn, ended: turn },
        },
      ],
    })
  expect(monitor.pendingEscape).toBeUndefined()
})

test.each([
  [{ limit: {} }, "policy.limit: is unknown; did you mean 'limits'?"],
  [{ limits: { toolCalls: -1 } }, 'limits.toolCalls: expected a whole number of at least 1'],
  [{ limits: { duration: Number.NaN } }, 'limits.duration: expected a duration such as 250ms, 30s'],
  [{ limits: 5 }, 'policy.limits: expected a map, received 5'],
  [{ retry: { on: ['transint'] } }, 'received "transint"; did you mean \'transient\'?'],
  [{ escape: { ladder: 'stop' } }, 'policy.escape.ladder: expected a list, received "stop"'],
  [
    { detect: { repetition: { times: 20 } } },
    'detect.repetition.times: is 20, but only the latest 16 are searched',
  ],
  [
    { detect: { nodes: { look: { sequence: { repeats: 'x' } } } } },
    'detect.nodes.look.sequence.repeats: expected a whole number of at least 2, received "x"',
  ],
  [{ detect: { sequence: true } }, 'detect.sequence: expected a map, or false, received true'],
])('rejects the policy %j with the same message as a spec', (policy, said) => {
  const spec = { escapement: 1, id: 'a', start: 'end', nodes: { end: { final: 'success' } } }
  const bySpec = readSpec({ ...spec, ...policy }).faults ?? []
  const texts = bySpec.map(({ path, message }) => `policy.${path}: ${message}`)
  expect(texts.join('\n')).toContain(said)
  const refused = expect(() => watchdog({ policy: policy as never }))
  if ('limit' in policy) refused.toThrow(said)
  else refused.toThrow(texts.join('\n'))
})

test('accepts a policy in spec notation: durations as text, numbers for maps, and omitted keys', () => {
  const rows: WatchdogRow[] = []
  const monitor = watchdog({
    policy: {
      limits: { duration: '5m', mistakes: 4 },
      retry: 0,
      detect: { visits: 5, stale: false },
      failures: { rules: [{ id: 'quota', code: ['E1'], class: 'persistent' }], recurring: false },
    },
    record: row => void rows.push(row),
  })
  monitor.userMessage('go', 0)
  const [started] = rows.map(({ event }) => event)
  expect(started).toMatchObject({
    policy: {
      limits: { duration: 300_000 },
      retry: { ...POLICY.retry, attempts: 1 },
      detect: { visits: { max: 5, window: 60_000 }, stale: false, mistakes: { limit: 4 } },
      failures: [{ id: 'quota' }, ...POLICY.failures],
      recurring: false,
    },
  })
})

test('a detector with settings for one tool keeps the defaults of its other settings', () => {
  const at = (detect: object) =>
    walk({ policy: { detect } }, () => 'nothing', 12).rows.find(
      ({ findings }) => findings.length > 0,
    )?.seq
  const tool = { sequence: { repeats: 5 }, repetition: { times: 5 } }
  expect(at({ tools: { search: tool } })).toBe(at(tool))
  expect(at({ tools: { search: tool } })).toBeGreaterThan(at({}) as number)
})

test('switches detectors on and off', () => {
  expect(() =>
    watchdog({
      policy: {
        detect: { visits: { max: 3, window: 1_000 }, stale: false },
        failures: { recurring: false },
      },
    }),
  ).not.toThrow()
})

test('names a call that was reported without its outcome', () => {
  const monitor = watchdog()
  monitor.beforeModelCall(0)
  const before = monitor.state
  const call = { tool: 'pay', args: {}, result: 'a' } as never
  expect(() => monitor.afterModelTurn({ text: '', calls: [call], at: 1 })).toThrow(
    "the call of 'pay' has no outcome: pass the return value of settle(permit, at), or the outcome of a refused permit",
  )
  expect(monitor.state).toBe(before)
})

test.each([
  [{ at: 1 }, 'calls[2].outcome.began: expected ms since 1970, received undefined'],
  [{ began: 1 }, 'calls[2].outcome.ended: expected ms since 1970, received undefined'],
])('names the place of an outcome without its times: %j', (outcome, message) => {
  const monitor = watchdog()
  monitor.beforeModelCall(0)
  const before = monitor.state
  const settled = { began: 1, ended: 1 }
  const calls = [settled, settled, outcome].map(outcome => ({ tool: 'pay', args: {}, outcome }))
  expect(() => monitor.afterModelTurn({ text: '', calls: calls as never, at: 1 })).toThrow(message)
  expect(monitor.state).toBe(before)
})
