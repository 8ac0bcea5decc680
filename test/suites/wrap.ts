/** The common behavior of all wraps: the same verdict at the same event in every framework. */
import { describe, expect, test } from 'vitest'
import type { Framework, Outcome } from '../conformance/framework.ts'
import { plain } from '../conformance/plain.ts'
import { watchedAs } from '../conformance/report.ts'
import { SCENARIOS, type Scenario } from '../conformance/scenario.ts'

/** A loop by hand is what the others are compared with. */
export function wrapSuite(framework: Framework): void {
  describe(framework.name, () => {
    test.each(SCENARIOS)(
      '$name: the verdicts of a loop by hand, at the same events',
      async scenario => {
        const terms = watchedAs(scenario)
        const alike = await framework.run(scenario, terms)
        const byHand = await plain.run(scenario, watchedAs(scenario))
        // The limits of a framework end a run without other limits.
        const length = Math.min(alike.rows.length, byHand.rows.length)
        expect(storyOf(alike).slice(0, length)).toEqual(storyOf(byHand).slice(0, length))
        expect(alike.before).toBe(byHand.before)
      },
    )

    test('in observe mode, the agent behaves as without a watchdog, and continues with a tool whose breaker is open', async () => {
      const observed = { options: { policy: { mode: 'observe' as const } }, now: () => 0 }
      const [bare, watched] = [
        await framework.run(STUBBORN, undefined),
        await framework.run(STUBBORN, observed),
      ]
      expect(watched.rows.some(({ verdict }) => verdict.kind === 'warn')).toBe(true)
      expect({ ...watched, rows: [] }).toEqual({ ...bare, rows: [] })
    })

    test('finds a loop although each message contains a clock or a counter', async () => {
      for (const says of [CLOCK, COUNTER]) {
        const driven: Scenario = { ...SEARCHING, driven: { says } }
        const alike = await framework.run(driven, watchedAs(driven))
        const byHand = await plain.run(driven, watchedAs(driven))
        expect(storyOf(alike)).toEqual(storyOf(byHand))
        expect([alike.ended, alike.executions]).toEqual(['stopped (loop)', 7])
      }
    })

    test('the same message is a loop at once, and a schedule if minutes lie between', async () => {
      const driven: Scenario = {
        ...SEARCHING,
        driven: { says: Array(12).fill('Is there new mail?') },
      }
      let at = 0
      const later = { options: {}, now: () => (at += 120_000) }
      expect((await framework.run(driven, later)).ended).toBe('13 × "Go on."')
      expect((await framework.run(driven, watchedAs(driven))).ended).toBe('stopped (loop)')
    })

    test('requests that differ only in a number are not a loop, and the turn limit does not end them', async () => {
      const alike = await framework.run(ORDERS, watchedAs(ORDERS))
      expect(storyOf(alike)).toEqual(storyOf(await plain.run(ORDERS, watchedAs(ORDERS))))
      expect([alike.ended, alike.executions, alike.before]).toEqual([
        '61 × "Go on."',
        60,
        undefined,
      ])
    })

    test.each([undefined, null, 'no', 0, false, new Error(), Object.create(null)])(
      'a tool that throws %j has failed',
      async thrown => {
        const dead: Scenario = {
          name: 'dead',
          make: () => {
            let turn = 0
            return {
              tools: {
                search: () => {
                  throw thrown
                },
              },
              say: () =>
                turn++ < 3
                  ? { text: '', calls: [{ tool: 'search', args: { turn } }] }
                  : { text: 'There is nothing.' },
            }
          },
        }
        const alike = await framework.run(dead, watchedAs(dead))
        expect(storyOf(alike)).toEqual(storyOf(await plain.run(dead, watchedAs(dead))))
        expect(
          alike.rows.filter(
            ({ event }) => event.type === 'tool.failed' || event.type === 'circuit.opened',
          ),
        ).toHaveLength(4)
      },
    )

    test.each(SCENARIOS.filter(({ name }) => name === 'A-B-A-B' || name === 'paging'))(
      '$name: a clock that jumps by hours changes nothing',
      async scenario => {
        let asked = 0
        const jumping = () => 1e12 + asked * 10 + (asked++ % 3 === 1 ? 18_000_000 : 0)
        const jumped = await framework.run(scenario, { options: {}, now: jumping })
        expect(storyOf(jumped)).toEqual(storyOf(await framework.run(scenario, watchedAs(scenario))))
        const times = jumped.rows.map(({ event }) => event.at)
        expect(times).toEqual([...times].sort((one, other) => one - other))
      },
    )

    test('a limit is met at the same event', async () => {
      const [paging] = SCENARIOS.filter(({ name }) => name === 'paging')
      if (!paging) throw new Error('unknown scenario')
      const limited = () => ({ options: { policy: { limits: { toolCalls: 3 } } }, now: () => 0 })
      const alike = await framework.run(paging, limited())
      const byHand = await plain.run(paging, limited())
      expect(storyOf(alike)).toEqual(storyOf(byHand))
      expect([alike.executions, alike.ended]).toEqual([3, 'stopped (budget.toolCalls)'])
    })
  })
}

/** Calls a dead tool eight times, and is done. */
const STUBBORN: Scenario = {
  name: 'stubborn',
  make: () => {
    let turn = 0
    return {
      tools: {
        search: () => {
          throw Object.assign(new Error('HTTP 503: service unavailable'), { status: 503 })
        },
      },
      say: () =>
        turn++ < 8
          ? { text: '', calls: [{ tool: 'search', args: {} }] }
          : { text: 'There is nothing.' },
    }
  },
}

/** Makes the same call after each "Go on.". */
const SEARCHING: Scenario = {
  name: 'searching',
  make: () => {
    let turn = 0
    return {
      tools: { search: () => 'nothing' },
      say: () =>
        turn++ % 2 === 0
          ? { text: '', calls: [{ tool: 'search', args: { query: 'x' } }] }
          : { text: `Nothing yet, after ${turn} turns.` },
    }
  },
}

const CLOCK = Array.from(
  { length: 60 },
  (_, minute) => `It is 03:${String(minute).padStart(2, '0')}, ${minute * 61}s in. Continue.`,
)
const COUNTER = Array.from({ length: 60 }, (_, step) => `Step ${step} (run 7f3a9c${step}e): go on`)

const ORDERS: Scenario = {
  name: 'orders',
  driven: { says: Array.from({ length: 60 }, (_, order) => `What of order ${order}?`) },
  make: () => {
    let turn = 0
    return {
      tools: {
        order: ({ id }) => `${Number(id) * 37} clocks, sent on the ${(Number(id) * 7) % 31}th`,
      },
      say: () => {
        const id = Math.floor(turn++ / 2)
        if (turn === 1) return { text: 'What may I do for you?' }
        return turn % 2 === 0
          ? { text: '', calls: [{ tool: 'order', args: { id } }] }
          : { text: `Order ${id}: ${(id * 7) % 31}th, ${id * 37} clocks.` }
      },
    }
  },
}

/** Each event with its verdict, without times. */
function storyOf({ rows }: Outcome): readonly string[] {
  return rows.map(({ seq, event, verdict }) => {
    const subject = 'subject' in event ? ` ${event.subject}` : ''
    const said =
      verdict.kind === 'escape'
        ? `: ${verdict.route.rung}, by ${verdict.because.map(({ detector }) => detector).join(', ')}`
        : ''
    return `${seq} ${event.type}${subject}${said}`
  })
}
