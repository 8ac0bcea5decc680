/** The review of any run: plain data of bounded size, with correct targets of its answers. */
import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advance } from '../src/core/advance.ts'
import { dueAt } from '../src/core/run/effects.ts'
import { effectsOf } from '../src/core/review/ledger.ts'
import { type Review, reviewOf } from '../src/core/review/review.ts'
import { isOver, type Run } from '../src/core/run/run.ts'
import { readSpec } from '../src/core/graph/spec/read.ts'
import { notJsonAt } from '../src/core/watch/data/json.ts'
import { reviewText } from '../src/faces/cli/print/escapes.ts'
import { bindGraph } from '../src/kit/bind/bind.ts'
import { play } from '../src/testing.ts'
import { foldRows } from '../src/runtime/store/replay.ts'
import { randomEvents, type AppliedEvent, applyRandomEvent } from './properties/events.ts'
import { randomSpec } from './properties/specs.ts'

/** Characters of a review as JSON, with everything in it. */
const SIZE_MAX = 200_000

/** The story up to where somebody was asked for the last time. */
function asking({ runs, rows, run }: AppliedEvent): Pick<AppliedEvent, 'run' | 'rows'> {
  const last = runs.findLastIndex(({ pending }) => pending.some(({ type }) => type === 'interrupt'))
  return last < 0 ? { run, rows } : { run: runs[last] as Run, rows: rows.slice(0, last + 1) }
}

let seen = 0

test('of any run with an open question, each answer leads where the review says', () => {
  fc.assert(
    fc.property(randomSpec, randomEvents(40), ({ machine }, list) => {
      const { run, rows } = asking(applyRandomEvent(machine, list))
      for (const asked of run.pending) {
        const review = reviewOf(machine, run, rows, asked.id)
        if (asked.type !== 'interrupt' || isOver(run)) {
          if (asked.type !== 'interrupt') expect(review).toBeUndefined()
          continue
        }
        const { options, otherwise, deadline, chain } = review as Review
        seen++
        expect(notJsonAt(JSON.parse(JSON.stringify(review)))).toBeUndefined()
        expect(JSON.stringify(review).length).toBeLessThan(SIZE_MAX)
        expect(reviewText(review as Review)).not.toMatch(/undefined|\[object|NaN/)
        // Stopping is possible until the time to answer is over, and every answer is one that would be taken.
        if ((deadline ?? Number.POSITIVE_INFINITY) > run.at)
          expect(options.map(({ decision }) => decision)).toContain('stop')
        else expect(options).toEqual([])
        for (const { leads, ...answer } of options) {
          const next = advance(machine, run, {
            type: 'resume',
            effect: asked.id,
            ...answer,
            at: run.at,
          })
          expect(next.last.ignored).toBeUndefined()
          expect(leads.ends).toEqual(
            next.ended && {
              outcome: next.ended.outcome,
              reason: next.ended.reason,
              because: next.ended.because,
            },
          )
          deepStrictEqual(
            [...leads.next],
            next.pending
              .map(({ id }) => id)
              .filter(id => !run.pending.some(each => each.id === id)),
          )
        }
        expect(otherwise === undefined).toBe(deadline === undefined)
        expect(
          chain.every(step => step.done || step.at < (deadline ?? Number.POSITIVE_INFINITY)),
        ).toBe(true)
      }
    }),
    { numRuns: 150 },
  )
  expect(seen).toBeGreaterThan(20)
})

test('of any run, a review changes nothing, and the ledger lists each write once', () => {
  fc.assert(
    fc.property(randomSpec, randomEvents(30), ({ machine }, list) => {
      const { run, rows } = applyRandomEvent(machine, list)
      for (const { id } of run.pending) reviewOf(machine, run, rows, id)
      deepStrictEqual(foldRows(machine, undefined, rows), run)
      const calls = effectsOf(rows).map(({ call }) => call)
      expect(new Set(calls).size).toBe(calls.length)
      const reads = new Set(
        rows.flatMap(({ event }) =>
          event.type === 'tool.called' && event.effects === 'read' ? [event.call] : [],
        ),
      )
      expect(
        calls.filter(
          call =>
            reads.has(call) &&
            !rows.some(
              ({ event }) =>
                event.type === 'tool.called' && event.call === call && event.effects === 'write',
            ),
        ),
      ).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test('of any run, an unanswered question escalates step by step to its deadline, with one event each', () => {
  fc.assert(
    fc.property(randomSpec, randomEvents(40), ({ machine }, list) => {
      const subject = asking(applyRandomEvent(machine, list))
      const asked = subject.run.pending.find(({ type }) => type === 'interrupt')
      if (!asked || isOver(subject.run)) return
      let run: Run = subject.run
      let last = Number.NEGATIVE_INFINITY
      for (let ticks = 0; run.pending.some(({ id }) => id === asked.id); ticks++) {
        const due = dueAt(run.pending.find(({ id }) => id === asked.id) ?? asked)
        if (due === undefined) return
        expect(due).toBeGreaterThan(last)
        expect(ticks).toBeLessThan(4)
        last = due
        run = advance(machine, run, { type: 'tick', effect: asked.id, at: due })
        expect(run.last.ignored).toBeUndefined()
        // The same time does not come twice.
        expect(
          advance(machine, run, { type: 'tick', effect: asked.id, at: due }).last.ignored,
        ).toBe(true)
      }
    }),
    { numRuns: 100 },
  )
})

test('a review lists the latest twenty effects, and counts those before them', async () => {
  const { spec } = readSpec({
    escapement: 1,
    id: 'paying',
    start: 'A',
    mode: 'observe',
    nodes: {
      A: { use: './a.ts#a', on: { done: 'Q' } },
      Q: { use: 'human', question: 'Continue?', deadline: '1h', on: { 'human.approved': 'E' } },
      E: { final: 'success' },
    },
    tools: { pay: { use: 'flaky', effects: 'write', with: { p: 0 } } },
  })
  const graph = bindGraph(spec as NonNullable<typeof spec>, {
    workspace: '.',
    model: () => Promise.reject(new Error('no model')) as never,
    nodes: {
      A: async task => {
        for (let n = 0; n < 23; n++) await task.call('pay', { n })
      },
    },
  })
  const [review] = (await play(graph, { input: {} })).questions
  expect(review?.effects.map(({ args }) => args)).toEqual(
    Array.from({ length: 20 }, (_, index) => `{"n":${index + 3}}`),
  )
  expect(review?.effectsLeftOut).toBe(3)
})
