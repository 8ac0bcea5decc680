/** `npm run demo:night`: a scheduler starts graphs/night.yaml each hour for eight virtual hours, and the demo prints the open question. */
import { explain } from '../src/core/watch/reason/reason.ts'
import { resolve } from 'node:path'
import { bindLoaded, loadSpecs } from '../src/host/drive/load.ts'
import { nodePorts } from '../src/adapters/node/ports.ts'
import { reviewOf } from '../src/core/review/review.ts'
import type { Row, Run } from '../src/core/run/run.ts'
import { type Spent, NOTHING_SPENT, SPENDABLE } from '../src/core/watch/event/call-event.ts'
import { routeText } from '../src/faces/cli/print/line.ts'
import { reviewText } from '../src/faces/cli/print/escapes.ts'
import { drive } from '../src/runtime/drive/drive.ts'
import { createGate } from '../src/runtime/gate/gate.ts'
import { memoryStore } from '../src/runtime/store/memory-store.ts'
import { virtualClock } from '../src/testing/clock.ts'

const HOURS = 8
const HOUR = 3_600_000
/** 22:00 UTC. */
const EVENING = Date.UTC(2026, 0, 12, 22)

export interface Night {
  readonly threads: readonly {
    readonly thread: string
    readonly run: Run
    readonly rows: readonly Row[]
  }[]
  readonly spent: Spent
  /** The open questions as text. */
  readonly questions: readonly string[]
}

/** The scheduler: starts a thread each hour, whatever the result of the earlier threads. */
export async function runNight(): Promise<Night> {
  const graph = await bindLoaded(
    await loadSpecs(resolve(import.meta.dirname, '../graphs/night.yaml')),
  )
  const clock = virtualClock(EVENING)
  const store = memoryStore()
  const ports = nodePorts({ graph, store, clock, gate: createGate(store) })
  const threads: Night['threads'][number][] = []
  for (let hour = 0; hour < HOURS; hour++) {
    const thread = `report-${hour + 1}`
    const run = await drive(ports, thread, { start: { input: {}, seed: hour } })
    threads.push({ thread, run, rows: await store.rows(thread) })
    await clock.sleep(EVENING + (hour + 1) * HOUR - clock.now())
  }
  const questions = threads.flatMap(({ run, rows }) =>
    run.pending.flatMap(({ id, type }) => {
      const review = type === 'interrupt' ? reviewOf(graph.machine, run, rows, id) : undefined
      return review ? [reviewText(review)] : []
    }),
  )
  return {
    threads,
    spent: threads.reduce((sum, { run }) => addSpent(sum, run.watch.account.spent), NOTHING_SPENT),
    questions,
  }
}

function addSpent(one: Spent, other: Spent): Spent {
  return Object.fromEntries(
    SPENDABLE.map(unit => [unit, one[unit] + other[unit]]),
  ) as unknown as Spent
}

/** The report: a line for each thread, the total, and the open questions. */
export function nightReport({ threads, spent, questions }: Night): string {
  return [
    ...threads.map(({ thread, run, rows }, hour) => {
      const { toolCalls, modelCalls } = run.watch.account.spent
      const end = run.ended ? `${run.ended.outcome} (${run.ended.reason})` : 'waits for a person'
      const ways = rows.flatMap(row =>
        row.verdict.kind === 'escape'
          ? [
              `    ${row.verdict.because.slice(0, 1).map(({ reason }) => explain(reason))} → ${routeText(row)}`,
            ]
          : [],
      )
      return [
        `${String((22 + hour) % 24).padStart(2, '0')}:00  ${thread}  ${toolCalls} tool calls, ${modelCalls} model calls: ${end}`,
        ...ways,
      ].join('\n')
    }),
    '',
    `Total: ${spent.toolCalls} tool calls, ${spent.modelCalls} model calls, $${spent.usd.toFixed(4)}.`,
    `Open: ${questions.length} ${questions.length === 1 ? 'question' : 'questions'}.`,
    '',
    ...questions,
    '',
  ].join('\n')
}

if (import.meta.main) process.stdout.write(nightReport(await runNight()))
