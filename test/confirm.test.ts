import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readSpec } from '../src/core/graph/spec/read.ts'
import { changePolicy } from '../src/core/graph/spec/policy-schema.ts'
import { policyOf, type Spec } from '../src/core/graph/spec/spec.ts'
import type { Confirm, ConfirmPolicy } from '../src/core/watch/policy/policy.ts'
import { mustConfirm } from './must-confirm.ts'
import type { Json } from '../src/core/watch/data/json.ts'
import { systemClock } from '../src/adapters/node/ports.ts'
import { tool } from '../src/kit/tool.ts'
import { confirmationOf } from '../src/runtime/call/permissions.ts'
import type { Tool } from '../src/runtime/ports.ts'

function specOf(parts: object): Spec {
  const read = readSpec({
    escapement: 1,
    id: 'test',
    start: 'A',
    nodes: { A: { use: 'pass', on: { done: 'E' } }, E: { final: 'success' } },
    tools: {
      read_x: { use: 'flaky' },
      delete_x: { use: 'flaky', effects: 'write', confirm: 'never' },
      delete_y: { use: 'flaky', effects: 'write' },
    },
    ...parts,
  })
  if (read.faults)
    throw new Error(read.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  return read.spec
}

describe('rules for confirmation', () => {
  test.each<[Readonly<Record<string, Confirm>>, string, 'read' | 'write', boolean]>([
    [{}, 'search', 'write', false],
    [{ search: 'always' }, 'search', 'read', true],
    [{ search: 'write' }, 'search', 'read', false],
    [{ search: 'write' }, 'search', 'write', true],
    [{ '*': 'always' }, 'search', 'read', true],
    [{ '*': 'always', search: 'never' }, 'search', 'read', false],
    [{ 'delete_*': 'always', '*': 'never' }, 'delete_file', 'read', true],
    [{ '*': 'never', 'delete_*': 'always' }, 'delete_file', 'write', false],
    [{ 'a*a': 'always' }, 'a', 'read', false],
    [{ 'a*a': 'always' }, 'aa', 'read', true],
    [{ 'a*b*c': 'always' }, 'axxbxxc', 'read', true],
    [{ 'a*b*c': 'always' }, 'acb', 'read', false],
    [{ 'ab*ba': 'always' }, 'aba', 'read', false],
  ])('%j: %s, which %ss: %s', (confirm, tool, effects, asked) => {
    expect(mustConfirm(confirm, tool, effects)).toBe(asked)
  })

  test('a pattern matches like the equivalent regular expression', () => {
    const letters = (extra: string) =>
      fc.array(fc.constantFrom(...`ab${extra}`), { maxLength: 8 }).map(list => list.join(''))
    fc.assert(
      fc.property(letters('**'), letters(''), (pattern, tool) => {
        fc.pre(pattern.includes('*') && tool !== '')
        expect(mustConfirm({ [pattern]: 'always' }, tool, 'read')).toBe(
          new RegExp(`^${pattern.replace(/\*/g, '.*')}$`).test(tool),
        )
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the confirmation of one call', () => {
  const pay = (confirm?: Parameters<typeof tool>[0]['confirm']) => ({
    tool: tool({
      name: 'pay',
      description: '',
      inputSchema: z.object({ amount: z.coerce.number(), to: z.string().default('Ada') }),
      effects: 'write',
      execute: () => 'paid',
      ...(confirm === undefined ? {} : { confirm }),
    }),
  })
  const asked = (policy: ConfirmPolicy, { tool }: { tool: Tool }, raw: Json) =>
    confirmationOf(policy, 'pay', { tool, args: tool.parse(raw) }, systemClock)

  test('a function of the tool receives the arguments that the schema returned', () => {
    const above = pay(args => (args as { amount: number }).amount === 450)
    expect(asked({}, above, { amount: '450' })).toEqual({})
    expect(asked({}, above, { amount: '45' })).toBeUndefined()
  })

  test('a condition in CEL receives the arguments that the schema returned', () => {
    const policy = { pay: { when: 'args.amount > 400', question: 'Pay {{amount}} to {{to}}?' } }
    expect(asked(policy, pay(), { amount: '450' })).toEqual({ question: 'Pay 450 to Ada?' })
    expect(asked(policy, pay(), { amount: '50' })).toBeUndefined()
  })

  test('a text is the question, with the arguments inserted', () => {
    expect(asked({}, pay('Pay {{amount}} to {{ to }}{{none}}?'), { amount: '7' })).toEqual({
      question: 'Pay 7 to Ada?',
    })
    expect(
      asked(
        {},
        pay(() => 'Really?'),
        { amount: 7 },
      ),
    ).toEqual({ question: 'Really?' })
  })

  test('the rule for the name decides before the tool, the tool before the patterns', () => {
    expect(asked({ pay: 'never' }, pay(true), { amount: 7 })).toBeUndefined()
    expect(asked({ '*': 'never' }, pay(true), { amount: 7 })).toEqual({})
    expect(asked({ '*': 'write' }, pay(), { amount: 7 })).toEqual({})
    expect(
      asked(
        { '*': 'always' },
        pay(() => false),
        { amount: 7 },
      ),
    ).toBeUndefined()
  })

  test('a condition that cannot be evaluated requires confirmation', () => {
    const broken = pay(() => {
      throw new Error('broken')
    })
    expect(asked({}, broken, { amount: 7 })).toEqual({})
    expect(asked({ pay: { when: 'args.missing > 1' } }, pay(), { amount: 7 })).toEqual({})
    expect(asked({ pay: { when: 'args.amount > 7.5' } }, pay(), { amount: 7 })).toBeUndefined()
  })
})

describe('confirm in a spec', () => {
  test('the setting of a tool overrides the general patterns', () => {
    const { confirm } = policyOf(specOf({ confirm: { delete_x: 'always', '*': 'write' } }))
    expect([
      mustConfirm(confirm, 'delete_x', 'write'),
      mustConfirm(confirm, 'delete_y', 'write'),
      mustConfirm(confirm, 'read_x', 'read'),
    ]).toEqual([false, true, false])
  })

  test('names must exist; a pattern may match future tools', () => {
    expect(() => specOf({ confirm: { remove_x: 'always' } })).toThrow(
      "confirm.remove_x: unknown tool 'remove_x'; expected one of: read_x, delete_x, delete_y",
    )
    expect(() => specOf({ confirm: { 'remove_*': 'always' } })).not.toThrow()
    expect(() => specOf({ confirm: { '*': 'sometimes' } })).toThrow(
      /^confirm\.\*: expected always, write, never, or a condition over args; CEL: .*sometimes/,
    )
    expect(() => specOf({ confirm: { '+x': 'always' } })).toThrow(
      /^confirm\.\+x: expected the name of a tool, or a pattern with \*/,
    )
  })

  test('keeps a CEL condition over the arguments, alone or with its question', () => {
    const when = 'args.amount > 100'
    const { confirm } = policyOf(
      specOf({ confirm: { delete_y: when, read_x: { when, question: 'Read {{amount}}?' } } }),
    )
    expect(confirm).toMatchObject({
      delete_y: { when },
      read_x: { when, question: 'Read {{amount}}?' },
    })
    expect(mustConfirm(confirm, 'read_x', 'read')).toBe(true)
  })

  test('a change at run time takes precedence', () => {
    const { policy } = changePolicy(policyOf(specOf({ confirm: { '*': 'never' } })), {
      confirm: { 'delete_*': 'always' },
    })
    expect(policy && mustConfirm(policy.confirm, 'delete_y', 'write')).toBe(true)
    const back = policy && changePolicy(policy, { confirm: { 'delete_*': null } }).policy
    expect(back && mustConfirm(back.confirm, 'delete_y', 'write')).toBe(false)
  })
})
