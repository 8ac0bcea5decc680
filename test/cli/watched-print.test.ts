/** The output for a trace with findings. */
import { describe, expect, it } from 'vitest'
import type { App } from '../../src/faces/cli/app/app.ts'
import { flagsOf, watch } from '../../src/faces/cli/commands/watch.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { traceBlocks } from '../../src/faces/cli/print/traces.ts'
import type { Act } from '../../src/core/watch/trace-watcher.ts'
import { POLICY } from '../../src/core/watch/policy/policy.ts'
import { chance } from '../attack/chance.ts'

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

describe('a trace with many findings of long spans', () => {
  const { next } = chance('findings')
  const any = (count: number) => Math.floor(next() * count)
  const acts = Array.from({ length: 4_000 }, (_, nth): readonly Act[] => [
    { act: 'called', call: `c${nth}`, tool: `t${any(5)}`, args: { q: any(5) } },
    { act: 'answered', call: `c${nth}`, ok: true, text: `r${any(4)}` },
  ]).flat()
  const flags = flagsOf(acts, POLICY.detect)

  /** The acts, with the number of reads in their list. */
  function counted() {
    const count = { reads: 0 }
    const get = (list: readonly Act[], key: string | symbol) => {
      count.reads++
      return Reflect.get(list, key)
    }
    return { count, acts: new Proxy(acts, { get }) }
  }

  it('reads each act a few times, not all for each event of a finding', () => {
    const { count, acts: read } = counted()
    expect(flags.length).toBeGreaterThan(9)
    traceBlocks({ id: 'shop', acts: read }, flags)
    // Passes over all acts, and a bounded number of events for each finding.
    expect(count.reads).toBeLessThan(10 * acts.length + 1_000 * flags.length)
  })

  it('says how many events it compares', () => {
    expect(draw(traceBlocks({ id: 'shop', acts }, flags), PIPE)).toContain(
      '25 different calls (the last 500 events)',
    )
  })

  it.each([
    ['as JSON', { json: true }, true],
    ['to a pipe', {}, false],
  ])('is not drawn %s', async (_, options, interactive) => {
    const { count, acts: read } = counted()
    flagsOf(read, POLICY.detect)
    const { reads } = count
    const said: string[] = []
    const app = {
      ...{ interactive, environment: {}, elapsed: () => 0 },
      ...{ signal: new AbortController().signal, leave: new AbortController().signal },
      ...{
        out: (text: string) => said.push(text),
        err: () => {},
        note: () => {},
        status: () => {},
      },
      async *traces() {
        yield { id: 'shop', acts: read }
      },
    }
    await watch(app as unknown as App, ['shop.jsonl'], options)
    expect(JSON.parse(said.join('')).flags).toHaveLength(flags.length)
    expect(count.reads).toBe(2 * reads)
  })
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
