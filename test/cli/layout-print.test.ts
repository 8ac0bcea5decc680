/** Lines, paragraphs and tables on screens of different widths, with and without colour. */
import { describe, expect, it } from 'vitest'
import { durationText } from '../../src/core/watch/data/duration.ts'
import { countText, spentText, bold, dim, draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { styled } from '../../src/faces/cli/print/layout.ts'
import type { Block } from '../../src/faces/cli/print/layout.ts'
import { InvalidPolicy } from '../../src/core/watch/policy/policy.ts'
import { InvalidQuery } from '../../src/runtime/store/query/query.ts'
import { StoreUnavailable, UnknownThread } from '../../src/runtime/store/store.ts'
import { errorBlocks, nearest } from '../../src/faces/cli/print/error.ts'
import { screenOf, terminalOf } from '../../src/faces/cli/app/terminal.ts'
import { UsageError } from '../../src/faces/cli/app/app.ts'
import { NOTHING_SPENT } from '../../src/core/watch/event/call-event.ts'

const at = (columns: number) => ({ ...PIPE, columns })
const TABLE: Block = {
  rows: [
    [dim('THREAD'), 'STATUS', 'EVENTS'],
    [bold('agent-with-a-long-name'), 'success', '7'],
    ['b', 'waiting', '1,200'],
  ],
  right: [2],
}

describe('a line', () => {
  it('is cut at the screen width, and complete in a pipe', () => {
    expect(draw(['12345678', '1234567890'], at(8))).toBe('12345678\n1234567…\n')
    expect(draw(['x'.repeat(500)], PIPE)).toBe(`${'x'.repeat(500)}\n`)
  })

  it('counts the cells of wide and combining characters', () => {
    expect(draw(['日本語日本語'], at(7))).toBe('日本語…\n')
    expect(draw(['e\u0301e\u0301e\u0301e\u0301'], at(4))).toBe('e\u0301e\u0301e\u0301e\u0301\n')
  })

  it('has color if enabled, and otherwise plain text', () => {
    const line: Block = [styled('failed', 'red'), ' again']
    expect(draw([line], { ...PIPE, color: true })).toBe('\x1b[31mfailed\x1b[39m again\n')
    expect(draw([line], PIPE)).toBe('failed again\n')
  })

  it('removes control sequences of tools, also between colors', () => {
    const evil = '\x1b[2J\x07mi\u200bn\u00ade\u202e\ufeff\u206a\u{e0041}\nnext'
    for (const block of [evil, styled(evil, 'red'), { wrap: [evil], hang: 0 }, { rows: [[evil]] }])
      expect(draw([block], PIPE)).toBe('[2Jmine next\n')
  })

  it('has ASCII forms of its symbols for a terminal that is not UTF-8', () => {
    expect(draw(['✓ a → b… é'], { ...PIPE, unicode: false })).toBe('ok a -> b... ?\n')
  })
})

describe('a paragraph', () => {
  it('is wrapped at spaces and indented, and a word longer than the line is broken', () => {
    const wrap = ['  cost  6 steps and 1 call ', 'x'.repeat(14)]
    expect(draw([{ wrap, hang: 8 }], at(20))).toBe(
      '  cost  6 steps and\n        1 call xxxxx\n        xxxxxxxxx\n',
    )
  })
})

describe('a table', () => {
  it('is as wide as its cells, with numbers aligned to the right', () => {
    expect(draw([TABLE], at(80))).toBe(
      [
        'THREAD                  STATUS   EVENTS',
        'agent-with-a-long-name  success       7',
        'b                       waiting   1,200',
        '',
      ].join('\n'),
    )
  })

  it('shrinks its widest column on a narrow screen', () => {
    expect(draw([TABLE], at(28))).toBe(
      [
        'THREAD       STATUS   EVENTS',
        'agent-with…  success       7',
        'b            waiting   1,200',
        '',
      ].join('\n'),
    )
  })
})

describe('a screen', () => {
  const tty = { isTTY: true, columns: 120, write: () => true }
  const pipe = { write: () => true }

  it('has the width of the terminal, 80 if unknown, and no width in a pipe', () => {
    expect(screenOf(tty, {}).columns).toBe(120)
    expect(screenOf({ ...tty, columns: 0 }, {}).columns).toBe(80)
    expect(screenOf(pipe, {}).columns).toBe(Number.POSITIVE_INFINITY)
  })

  it.each([
    ['a terminal', tty, {}, true],
    ['a pipe', pipe, {}, false],
    ['NO_COLOR', tty, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR', tty, { NO_COLOR: '' }, true],
    ['FORCE_COLOR in a pipe', pipe, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', tty, { FORCE_COLOR: '0' }, false],
    ['a dumb terminal', tty, { TERM: 'dumb' }, false],
  ])('follows %s for color', (_, stream, environment, color) => {
    expect(screenOf(stream, environment).color).toBe(color)
  })

  it('shows symbols unless the locale of the terminal is not UTF-8', () => {
    expect(screenOf(tty, { LANG: 'C' }).unicode).toBe(false)
    expect(screenOf(tty, { LANG: 'en_US.UTF-8' }).unicode).toBe(true)
    expect(screenOf(tty, { LANG: 'en_US.UTF-8', LC_ALL: 'POSIX' }).unicode).toBe(false)
    expect(screenOf(tty, {}).unicode).toBe(true)
    expect(screenOf(pipe, { LANG: 'C' }).unicode).toBe(true)
  })

  it('updates one line in place, which fits the terminal and is removed before other output', () => {
    const said: string[] = []
    const stream = { isTTY: true, columns: 10, write: (text: string) => said.push(text) }
    const terminal = terminalOf(stream, stream, { NO_COLOR: '1' })
    terminal.status('1234567890')
    terminal.note(['done'])
    terminal.out('\x1b[2Jraw')
    expect(said).toEqual(['12345678…', '\r\x1b[K', 'done\n', '\\u001b[2Jraw'])
  })
})

describe('amounts', () => {
  it.each([
    [0, '0ms'],
    [459, '459ms'],
    [1_234, '1.2s'],
    [59_600, '1m'],
    [200_000, '3m 20s'],
    [7_500_000, '2h 5m'],
    [186_400_000, '2d 3h'],
  ])('%d ms reads %s', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })

  it('are shown with their limits, and highlighted close to them', () => {
    const spent = { ...NOTHING_SPENT, steps: 9, usd: 0.00018, tokens: 10_955 }
    const text = draw([spentText(spent, { steps: 10, usd: 1 })], { ...PIPE, color: true })
    expect(text).toBe('\x1b[33m9/10 steps\x1b[39m · 10,955 tokens · $0.0002/$1.00\n')
    const unpriced = spentText({ ...NOTHING_SPENT, steps: 1 }, { steps: 10, usd: 1 })
    expect(draw([unpriced], PIPE)).toBe('1/10 steps\n')
    expect(countText(1, 'call')).toBe('1 call')
    expect(countText(1_200, 'call')).toBe('1,200 calls')
  })
})

describe('an error', () => {
  const shown = (error: unknown) => draw(errorBlocks(error), PIPE)

  it('is one message with the command or the edit that fixes it', () => {
    const error = Object.assign(new Error('input.topic is missing; input.of is missing'), {
      name: 'InvalidInput',
    })
    expect(shown(error)).toBe(
      `error: input.topic is missing; input.of is missing\n       → add --input '{"topic": "…", "of": "…"}'\n`,
    )
    expect(shown(new UsageError('one', { hint: 'do it' }))).toBe('error: one\n       → do it\n')
    expect(shown(new Error('one\ntwo'))).toBe('error: one\n       two\n')
    expect(shown('thrown text')).toBe('error: thrown text\n')
  })

  it('escapes a line break in a name, and shows each fault of a list in its line', () => {
    for (const error of [
      new UsageError("unknown breaker 'a\nb'"),
      new UnknownThread('t\n       forged: line'),
      new StoreUnavailable('x\ny.db: cannot be opened'),
      new InvalidQuery('SQLite: no such column: a\nb'),
    ])
      expect(
        shown(error)
          .split('\n')
          .filter(line => !line.includes('→')),
      ).toEqual([expect.stringMatching(/^error: .*\\n/), ''])
    const faults = ['a\nb', 'c'].map(path => ({ path, message: 'is missing' }))
    expect(shown(new InvalidPolicy(faults))).toBe(
      'error: a\\nb: is missing\n       c: is missing\n',
    )
  })

  it('suggests similar names', () => {
    const names = ['agent-ep21fjg', 'agent-ep21fjx', 'news', 'night']
    expect(nearest('agent-ep21fjy', names)).toEqual(['agent-ep21fjg', 'agent-ep21fjx'])
    expect(nearest('agent-ep', names)).toEqual(['agent-ep21fjg', 'agent-ep21fjx'])
    expect(nearest('newz', names)).toEqual(['news'])
    expect(nearest('other', names)).toEqual([])
  })
})
