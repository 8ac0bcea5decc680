/** Runs a stored thread again on virtual time, with its journal as a cassette and faults around it. */
import type { Row } from '../../core/run/run.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { EventOf } from '../../core/watch/event/event.ts'
import type { Graph } from '../../runtime/ports.ts'
import type { RecordedAnswer, RecordedAnswers } from '../run/people.ts'
import { simulate, type SimulatedThread } from '../run/simulate.ts'
import { parseScenario, type Scenario } from '../scenario/scenario.ts'
import { judgeable } from './judgeable.ts'
import { Cassette, type Divergence, type OnMiss } from './cassette.ts'

/** The options of `replayThread`. */
export interface ReplayOptions {
  readonly graph: Graph
  /** The journal of the thread. */
  readonly rows: readonly Row[]
  /** Its faults, conditions and people apply. Its graph and input do not. */
  readonly scenario?: Scenario
  /** Default: `fail`. */
  readonly onMiss?: OnMiss
  /** Ends the run. */
  readonly signal?: AbortSignal
}

/** A run that was answered from a journal. */
export interface ReplayedThread extends SimulatedThread {
  /** The first call that the journal does not answer. Absent: the whole run was answered from it. */
  readonly divergence?: Divergence
  /** The first event that differs from the journal, without times. Absent: none differs. */
  readonly differsAt?: number
  /** The conditions that read `system`: recorded answers do not change it, so a replay does not judge them. */
  readonly notJudged?: readonly string[]
}

const EMPTY = parseScenario({ scenario: 1, name: 'replay', graph: 'recorded' })

/**
 * Runs a thread again from its journal. Without faults, it takes the same way. From the first call that the journal does not
 * have, nothing is answered from it.
 * @throws TypeError for a journal without its first event; OracleFailed
 * @example const { divergence, outcome } = await replayThread({ graph, rows: await store.rows('ticket-42'), scenario })
 */
export async function replayThread(options: ReplayOptions): Promise<ReplayedThread> {
  const { graph, rows, scenario = EMPTY, onMiss = 'fail', signal } = options
  const [first] = rows
  if (first?.event.type !== 'thread.started')
    throw new TypeError('rows: expected a whole journal, from its first event')
  const { input, seed, policy } = first.event
  const { orders } = policy.escape
  const cassette = new Cassette(rows, onMiss)
  const answers = answersIn(rows)
  const { oracle, notJudged } = judgeable(scenario.oracle)
  const run = await simulate(
    {
      scenario: { ...scenario, oracle, input: input as Scenario['input'] },
      policy: 'recorded',
      graph: cassette.play(graph),
    },
    { seed, ...defined({ orders, signal }), ...(scenario.people ? {} : { answers }) },
  )
  const differsAt = firstDifference(rows, run.journal)
  return {
    ...run,
    ...(cassette.divergence && { divergence: cassette.divergence }),
    ...(differsAt === undefined ? {} : { differsAt }),
    ...(notJudged.length > 0 && { notJudged }),
  }
}

/** The answers of people, by question, each as long after the event before it. */
function answersIn(rows: readonly Row[]): RecordedAnswers {
  const answers = new Map<string, RecordedAnswer>()
  for (const [index, { event }] of rows.entries()) {
    if (event.type !== 'resume') continue
    const before = rows[index - 1]?.event.at ?? event.at
    answers.set(event.effect, { answer: answerOf(event), after: event.at - before })
  }
  return answers
}

function answerOf({ decision, output, to, rung, note }: EventOf<'resume'>) {
  const given = { output, to, rung, note }
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  return { decision, ...Object.fromEntries(said) }
}

/** Types, subjects and requests of the events, in order. */
function firstDifference(recorded: readonly Row[], replayed: readonly Row[]): number | undefined {
  const length = Math.max(recorded.length, replayed.length)
  for (let index = 0; index < length; index++)
    if (signOf(recorded[index]) !== signOf(replayed[index])) return index
  return undefined
}

function signOf(row: Row | undefined): string {
  if (!row) return 'missing'
  const { event, verdict, edges } = row
  const subject = 'subject' in event ? event.subject : ''
  const key = 'key' in event ? event.key : ''
  return JSON.stringify([event.type, subject, key, verdict.kind, edges])
}
