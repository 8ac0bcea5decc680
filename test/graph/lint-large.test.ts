/** Lint of specs whose lists multiply: its work is bounded. */
import { expect, it, vi } from 'vitest'
import { lint } from '../../src/core/graph/lint/lint.ts'
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
  expect(aboutPatterns(6_000, 6_000)).toEqual([
    expect.objectContaining({
      path: 'confirm',
      severity: 'warning',
      message: expect.stringContaining('6000 patterns and 6000 tools are too many to compare'),
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
