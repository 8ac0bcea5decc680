/** Properties of the watchdog without a machine: it accepts any event, keeps all stored state, and its journal is complete. */
import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { Row } from '../../src/core/run/run.ts'
import { type Watchdog, watchdog } from '../../src/core/watch/wrapped/watchdog.ts'
import type { WatchdogOptions } from '../../src/core/watch/wrapped/options.ts'
import type { CompletedCall, Turn } from '../../src/core/watch/wrapped/turn.ts'
import type { WatchdogRow, WatchdogState } from '../../src/core/watch/wrapped/state.ts'
import type { Stamped } from '../../src/core/watch/event/event.ts'
import { wrappedRuns } from '../../src/core/run/wrapped-run.ts'
import { randomEvents, applyRandomEvent } from './events.ts'
import { randomSpec } from './specs.ts'

const made: fc.Arbitrary<Omit<CompletedCall, 'outcome'> & { readonly fails: boolean }> = fc.record({
  tool: fc.constantFrom('search', 'read', 'save'),
  args: fc.constantFrom({}, { q: 1 }, { q: 2 }, null, 'text'),
  result: fc.constantFrom('nothing', 'something', 7, null, { a: [1] }),
  fails: fc.boolean(),
})

const turn = fc.record({
  text: fc.constantFrom('', 'Let me see.', 'I do not know.'),
  calls: fc.array(made, { maxLength: 3 }),
  later: fc.nat(20_000),
  word: fc.constantFrom('approved', 'dismiss', 'rejected', 'begin'),
})

const options: fc.Arbitrary<WatchdogOptions> = fc.record({
  commandExpected: fc.boolean(),
  writes: fc.constantFrom([], ['save']),
  policy: fc.constantFrom(
    {},
    { mode: 'observe' as const },
    { limits: { toolCalls: 5 } },
    { escape: { review: { deadline: 30_000, otherwise: 'continue' as const } } },
  ),
})

type Step = typeof turn extends fc.Arbitrary<infer T> ? T : never

/** One turn of a loop by hand; `between` may store the watch and take it up again. */
function taken(monitor: Watchdog, { text, calls, later, word }: Step, now: number): number {
  const at = now + later
  if (monitor.state.ended !== undefined) monitor.userMessage(word, at)
  else if (monitor.pendingEscape?.route.rung === 'review' && word !== 'begin')
    monitor.resolveReview(word, at)
  monitor.beforeModelCall(at)
  const completed: Turn = {
    at,
    text,
    calls: calls.map(({ fails, ...call }, place) => {
      const permit = monitor.permit(call.tool, at, place)
      return {
        ...call,
        outcome:
          permit.kind === 'no'
            ? permit.outcome
            : monitor.settle(
                permit,
                at + 1,
                fails
                  ? { error: Object.assign(new Error('HTTP 503'), { status: 503 }) }
                  : undefined,
              ),
      }
    }),
  }
  monitor.afterModelTurn(completed)
  return at + 1
}

function walked(
  of: WatchdogOptions,
  turns: readonly Step[],
  between: (state: WatchdogState) => WatchdogState | undefined,
): { readonly state: WatchdogState; readonly rows: readonly WatchdogRow[] } {
  const rows: WatchdogRow[] = []
  const record = (row: WatchdogRow) => void rows.push(row)
  // Breakers are the process's, not the watch's: they outlive it.
  const breakers = { table: {} }
  let monitor = watchdog({ ...of, record, breakers })
  let now = 1
  for (const each of turns) {
    now = taken(monitor, each, now)
    const state = between(monitor.state)
    if (state) monitor = watchdog({ ...of, record, breakers, state })
  }
  return { state: monitor.state, rows }
}

const rowsOf = (rows: readonly WatchdogRow[]): readonly Row[] =>
  rows.map(({ ended: _, ...row }) => ({ ...row, edges: [] }))

describe('of an agent without a machine', () => {
  test('a state that was stored between two turns continues like one that was not', () => {
    fc.assert(
      fc.property(options, fc.array(turn, { maxLength: 25 }), (of, turns) => {
        const live = walked(of, turns, () => undefined)
        deepStrictEqual(
          walked(of, turns, state => JSON.parse(JSON.stringify(state)) as WatchdogState),
          live,
        )
      }),
      { numRuns: 150 },
    )
  })

  test('its journal folds to the watch that wrote it', () => {
    fc.assert(
      fc.property(options, fc.array(turn, { minLength: 1, maxLength: 25 }), (of, turns) => {
        const { state, rows } = walked(of, turns, () => undefined)
        const run = wrappedRuns(rowsOf(rows)).at(-1)
        deepStrictEqual(
          [run?.watch, run?.seq, run?.ended?.reason],
          [state.watch, state.seq, state.ended],
        )
      }),
      { numRuns: 150 },
    )
  })

  test('accepts any event in any order', () => {
    fc.assert(
      fc.property(randomSpec, randomEvents(30), ({ machine }, list) => {
        const events: readonly Stamped[] = applyRandomEvent(machine, list).rows.map(
          ({ event }) => event,
        )
        const rows: WatchdogRow[] = []
        const monitor = watchdog({ record: row => void rows.push(row) })
        for (const event of events) monitor.observe(event)
        deepStrictEqual(
          rows.map(({ seq }) => seq),
          rows.map((_, index) => index),
        )
        deepStrictEqual(JSON.parse(JSON.stringify(monitor.state)), monitor.state)
        wrappedRuns(rowsOf(rows))
      }),
      { numRuns: 150 },
    )
  })
})
