/** The output for a trace with findings. */
import { expect, it } from 'vitest'
import { flagsOf } from '../../src/faces/cli/commands/watch.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { traceBlocks } from '../../src/faces/cli/print/traces.ts'
import type { Act } from '../../src/core/watch/trace-watcher.ts'
import { POLICY } from '../../src/core/watch/policy/policy.ts'

const lap = (args: { readonly [name: string]: string | number }, text: string): readonly Act[] => [
  { act: 'called', tool: 'search', args },
  { act: 'answered', ok: true, text },
]

const shown = (id: string, acts: readonly Act[]) =>
  draw(traceBlocks({ id, acts }, flagsOf(acts, POLICY.detect)), PIPE)

it('compares a lap of two calls with the lap before it', () => {
  const round = [...lap({ q: 'hours' }, 'closed'), ...lap({ q: 'prices' }, 'unknown')]
  expect(shown('shop', [...round, ...round, ...round])).toBe(
    [
      'shop  12 events, 6 calls, 1 after the first finding',
      '  ⟳ sequence  search → search ran 2 times with the same arguments and the same results',
      '      3 laps × period 2, events 1–9, confidence 65 %; the same in each lap',
      '      1  search {"q":"hours"}   → closed',
      '      3  search {"q":"prices"}  → unknown',
      '      5  search {"q":"hours"}   → closed',
      '      7  search {"q":"prices"}  → unknown',
      '      9  search {"q":"hours"}   → closed',
      '',
      '',
    ].join('\n'),
  )
})

it('counts the different calls of a drifting lap', () => {
  expect(
    shown(
      'shop',
      [1, 2, 3, 4].flatMap(nth => lap({ q: 'opening hours', at: nth }, 'see the manual, page 12')),
    ),
  ).toContain('4 different calls')
})

it('removes control sequences', () => {
  const text = shown(
    'shop\u001b[2J',
    [1, 2, 3].flatMap(
      () =>
        [
          { act: 'called', tool: 'search', args: null },
          { act: 'answered', ok: false, text: 'no such\u001b]0;page\u0007' },
        ] as const,
    ),
  )
  expect(text).toContain('shop[2J  6 events')
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})
