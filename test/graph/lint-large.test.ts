/** Lint of specs whose lists multiply: its work is bounded. */
import { expect, it, vi } from 'vitest'
import { lint } from '../../src/core/graph/lint/lint.ts'
import { recursiveIn } from '../../src/adapters/spec/library.ts'
import { identityOfSpec } from '../../src/core/graph/spec/identity.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { specOf } from './linted.ts'

const numbered = <T>(count: number, of: (nth: number) => readonly [string, T]) =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => of(nth)))

const tools = (count: number) => numbered(count, nth => [`t${nth}`, { use: 'flaky' }])

/** The findings about patterns of tools. */
const aboutPatterns = (patterns: number, names: number) =>
  lint(
    specOf({
      nodes: { A: { use: 'tool', tool: 't0', on: { done: 'E' } }, E: { final: 'success' } },
      tools: tools(names),
      confirm: numbered(patterns, nth => [`*a${nth}`, 'always']),
    }),
  ).filter(({ path }) => path.startsWith('confirm'))

it('compares each pattern of `confirm` with each tool', () => {
  const found = aboutPatterns(600, 600)
  expect(found).toHaveLength(600)
  expect(found[0]).toMatchObject({ path: 'confirm.*a0', severity: 'warning' })
})

it('compares no patterns of `confirm` that make too many pairs with the tools', () => {
  expect(aboutPatterns(18_000, 2_000)).toEqual([
    expect.objectContaining({
      path: 'confirm',
      severity: 'warning',
      message: expect.stringContaining('18000 patterns and 2000 tools are too many to compare'),
    }),
  ])
})

it('reads the texts of nodes once for all channels', () => {
  const channels = { ...numbered(1_000, nth => [`c${nth}`, {}]), 'is-open': {} }
  const question = `Is c7 open, and is-open? ${'c a '.repeat(2_000)}`
  const on = { 'human.approved': 'E', 'human.rejected': 'E', 'human.expired': 'E' }
  const spec = specOf({
    nodes: { A: { use: 'human', question, deadline: '1d', on }, E: { final: 'success' } },
    channels,
  })
  const searched: string[] = []
  const exec = RegExp.prototype.exec
  const spy = vi.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
    searched.push(text)
    return exec.call(this, text) !== null
  })
  const found = lint(spec)
  spy.mockRestore()
  const unused = found.filter(({ message }) => message.includes('no node uses the channel'))
  expect(unused).toHaveLength(999)
  expect(unused.map(({ path }) => path)).not.toContain('channels.c7')
  expect(unused.map(({ path }) => path)).not.toContain('channels.is-open')
  expect(searched.filter(text => text.length > question.length).length).toBeLessThan(10)
})

it('reads the labels of a node once for all of its edges', () => {
  const when = numbered(2_000, nth => [`l${nth}`, `n == ${nth}`])
  const on = { done: 'E', ...numbered(2_000, nth => [`done.l${nth}`, 'E']) }
  const spec = specOf({
    nodes: { A: { use: 'pass', in: ['n'], when, on }, E: { final: 'success' } },
    channels: { n: { default: 0 } },
  })
  const keys = vi.spyOn(Object, 'keys')
  lint(spec)
  const of = (value: unknown) => keys.mock.calls.filter(([read]) => read === value).length
  const read = [spec.nodes.A].flatMap(node => (node && 'when' in node ? of(node.when) : []))
  keys.mockRestore()
  expect(read[0]).toBeLessThan(20)
})

/** The findings about limits of money, which count no model without a price. */
const aboutMoney = (scopes: number, models: number) =>
  lint(
    specOf({
      nodes: { A: { use: 'model', model: 'm0', on: { done: 'E' } }, E: { final: 'success' } },
      models: numbered(models, nth => [`m${nth}`, { id: 'x' }]),
      limits: { scopes: numbered(scopes, nth => [`s${nth}`, { usd: 1 }]) },
    }),
  ).filter(({ path }) => path.startsWith('limits.scopes'))

it('reports each limit of money once if limits and models without a price make too many pairs', () => {
  expect(aboutMoney(10, 10)).toHaveLength(100)
  const found = aboutMoney(10_000, 2_000)
  expect(found).toHaveLength(10_000)
  expect(found[0]).toMatchObject({
    rule: 'unused',
    path: 'limits.scopes.s0.usd',
    message:
      "does not count the model 'm0' and 1999 more, which have no price: set models.m0.price",
  })
})

it('names only some of many labels and verifying nodes', () => {
  const labels = lint(
    specOf({
      nodes: {
        A: {
          use: 'pass',
          in: ['n'],
          when: numbered(30, nth => [`l${nth}`, `n == ${nth}`]),
          on: { done: 'E', ...numbered(2, nth => [`done.k${nth}`, 'E']) },
        },
        E: { final: 'success' },
      },
      channels: { n: { default: 0 } },
    }),
  ).filter(({ path }) => path.startsWith('nodes.A.on'))
  expect(labels.map(({ message }) => message)).toEqual(
    Array(2).fill(
      expect.stringMatching(/it ends with done\.l0, .*, done\.l23 and 6 more; name it/),
    ),
  )
  const gate = { use: 'verify', rubric: { a: 'n != null' }, in: ['n'], attempts: 2 }
  const on = (nth: number) => ({ done: `V${nth + 1}`, 'done.rejected': 'V0', timeout: 'V30' })
  const around = lint(
    specOf({
      start: 'V0',
      nodes: {
        ...numbered(30, nth => [`V${nth}`, { ...gate, on: on(nth) }]),
        V30: { final: 'success' },
      },
      channels: { n: { default: 0 } },
    }),
  ).filter(({ rule }) => rule === 'unverified-success')
  expect(around[0]?.message).toMatch(/without passing 'V0' or .*'V23' or one of 6 more: lead/)
})

const LEVELS = 40

/** A spec inside of specs, each twice a child of the one around it, and how often the innermost was read. */
function nested() {
  const counted = { reads: 0 }
  const leaf = specOf({ nodes: { A: { use: 'pass', on: { done: 'E' } }, E: { final: 'success' } } })
  const description = {
    enumerable: true,
    get: () => {
      counted.reads += 1
      return 'the innermost'
    },
  }
  const innermost = Object.defineProperties(
    { ...leaf },
    { description, progress: description },
  ) as Spec
  const levels = [innermost]
  for (let level = 1; level < LEVELS; level++)
    levels.push({ ...leaf, id: `g${level}`, graphs: { inner: levels.at(-1) as Spec } })
  return { levels, counted }
}

it('identifies graphs inside of graphs once, whatever contains them', () => {
  const { levels, counted } = nested()
  expect(new Set(levels.map(identityOfSpec)).size).toBe(LEVELS)
  expect(counted.reads).toBe(1)
})

it('names each graph once for all levels that contain it', () => {
  const { levels, counted } = nested()
  for (const spec of levels) expect(recursiveIn({}, { file: 'g.yaml', spec })).toEqual(new Set())
  // Two fields of the innermost, in the text of each level.
  expect(counted.reads).toBeLessThanOrEqual(2 * LEVELS)
})
