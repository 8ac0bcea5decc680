/** Conditions of breakpoints: what they read, and what they refuse. */
import { describe, expect, it } from 'vitest'
import { conditionBudget, type ConditionInput, conditionOf } from '../src/core/run/condition.ts'
import { NOTHING_SPENT } from '../src/core/watch/event/call-event.ts'

const call = { effect: 'look#1', region: '', call: 'look#1/1', subject: 'search', key: 'k' }

const failed = {
  ...call,
  type: 'tool.failed',
  ...{ at: 5, attempt: 1, final: true },
  failure: {
    name: 'Error',
    message: 'HTTP 429',
    class: 'transient',
    scope: 'resource',
    rule: 'http-status',
  },
} as const

const input = (of: Partial<ConditionInput> = {}): ConditionInput => ({
  seq: 12,
  event: failed,
  findings: [],
  verdict: { kind: 'continue' },
  edges: ['look.done.write'],
  spent: { ...NOTHING_SPENT, steps: 3, usd: 1 },
  channels: { topic: 'clocks', notes: ['a', 'b'] },
  ...of,
})

const finding = { kind: 'loop', detector: 'sequence', members: ['search'] }

describe('a condition', () => {
  it.each([
    ["event.type == 'tool.failed' && event.subject == 'search'", true],
    ["event.type == 'tool.called' && event.subject == 'search'", false],
    ["event.failure.class == 'transient'", true],
    ["findings.exists(f, f.kind == 'loop')", false],
    ["verdict.kind == 'escape'", false],
    ["edges.exists(edge, edge.endsWith('write'))", true],
    ['spent.usd >= 1.0', true],
    ['spent.usd >= 1.5', false],
    ['spent.steps > 2', true],
    ['seq == 12', true],
    ["channels.topic == 'clocks' && size(channels.notes) == 2", true],
    ["event.failure.message.matches('(4+)+29$')", true],
    ['true', true],
  ])('%s is %s', (expression, expected) => {
    expect(conditionOf(expression)(input())).toBe(expected)
  })

  it('reads findings, verdicts and breakers', () => {
    const of = { findings: [finding], verdict: { kind: 'escape' } } as never
    expect(conditionOf("findings.exists(f, f.kind == 'loop')")(input(of))).toBe(true)
    expect(conditionOf("verdict.kind == 'escape'")(input(of))).toBe(true)
    const opened = { ...failed, type: 'circuit.opened' } as never
    expect(conditionOf("event.type == 'circuit.opened'")(input({ event: opened }))).toBe(true)
  })

  it('is false where it reads a missing field or a value of another type', () => {
    const event = { type: 'continue', at: 5 } as const
    for (const expression of [
      "event.failure.class == 'transient'",
      'channels.missing > 3',
      'channels.topic > 3',
      'event.at.year > 3',
      'channels.topic',
    ])
      expect(conditionOf(expression)(input({ event }))).toBe(false)
    expect(conditionOf("event.failure.class == 'x' || seq == 12")(input({ event }))).toBe(true)
  })

  it.each([
    "channels.all.exists(a, channels.all.exists(b, (a + b).contains('zzz')))",
    'channels.all.all(a, channels.all.all(b, channels.all.all(c, a != b + c)))',
    "channels.all.exists(a, channels.all.exists(b, a.matches('(x+y+)+z')))",
    'channels.all.map(a, channels.all.map(b, channels.all)) == channels.all',
    `cel.bind(a, channels.all + channels.all, ${'cel.bind(a, a + a + a + a, '.repeat(20)}size(a) > 0${')'.repeat(21)}`,
    `cel.bind(a, channels.text, ${'cel.bind(a, a + a + a + a, '.repeat(20)}a.contains('z')${')'.repeat(21)}`,
  ])('is false soon if it costs too much: %.80s', expression => {
    const text = 'xy'.repeat(25_000)
    const all = Array.from({ length: 1_000 }, (_, index) => `${index} ${text}`)
    const holds = conditionOf(expression)
    const start = performance.now()
    expect(holds(input({ channels: { all, text } }))).toBe(false)
    // Without a limit, each takes minutes, or all memory.
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  it('shares what it may cost with the other conditions of an event', () => {
    const all = Array.from({ length: 1_000 }, (_, index) => index)
    const of = input({ channels: { all } })
    const long = conditionOf('channels.all.all(a, channels.all.all(b, a + b >= 0 || b < 0))')
    const short = conditionOf('seq == 12')
    const budget = conditionBudget(() => 0)
    expect([short(of, budget), long(of, budget), short(of, budget)]).toEqual([true, false, false])
    expect(
      short(
        of,
        conditionBudget(() => 0),
      ),
    ).toBe(true)
  })

  it('reads a list in three macros if it is short', () => {
    const expression = 'edges.exists(a, edges.exists(b, edges.exists(c, a == b && b == c)))'
    expect(conditionOf(expression)(input())).toBe(true)
  })

  it('compares two lists of 1000 items', () => {
    const all = Array.from({ length: 1_000 }, (_, index) => `item ${index}`)
    const expression = 'channels.all.all(a, a in channels.all) && channels.all == channels.all'
    expect(conditionOf(expression)(input({ channels: { all } }))).toBe(true)
  })

  it('reads the first 1000 items of a list', () => {
    const items = Array.from({ length: 2_000 }, (_, index) => index)
    const holds = (expression: string) =>
      conditionOf(expression)(input({ channels: { items: { of: items } } }))
    expect(holds('channels.items.of.exists(item, item == 999)')).toBe(true)
    expect(holds('channels.items.of.exists(item, item == 1000)')).toBe(false)
  })

  it('is refused if it is not valid, with the position', () => {
    const messageOf = (expression: string) => {
      try {
        conditionOf(expression)
        return ''
      } catch (error) {
        const { code, message } = error as Error & { code: string }
        return `${code}: ${message}`
      }
    }
    expect(
      [
        'event.type ==',
        'spend.usd > 1',
        'seq + 1 > 2 +',
        '1 + 1',
        "event.type.matches('(')",
        'x'.repeat(2_001),
      ].map(messageOf),
    ).toMatchInlineSnapshot(`
      [
        "invalid-condition: when: CEL: Unexpected token: EOF at column 14 of \`event.type ==\`",
        "invalid-condition: when: CEL: Unknown variable: spend at column 1 of \`spend.usd > 1\`; expected one of: seq, event, findings, verdict, edges, spent, channels",
        "invalid-condition: when: CEL: Unexpected token: EOF at column 14 of \`seq + 1 > 2 +\`",
        "invalid-condition: when: expected a condition, which is true or false, not int",
        "invalid-condition: when: CEL: Invalid regular expression: /(/: Unterminated group in \`event.type.matches('(')\`",
        "invalid-condition: when: expected at most 2000 characters",
      ]
    `)
  })
})
