/** The repetition with which a run ends so far, whether or not a detector has judged it. */
import type { Row } from '../../../src/core/run/run.ts'
import type { AgentEvent } from '../../../src/core/watch/event/event.ts'

export interface Repetition {
  /** The states of one lap. */
  readonly states: readonly string[]
  readonly times: number
}

/** Rows that are looked through, and the longest lap. */
const ROWS_MAX = 2_000
const LAP_MAX = 12

interface Turn {
  readonly state: string
  /** The state with the tools and graphs that it called, and their arguments. A model is always called with something new. */
  calls: string
  ended: boolean
}

/** The laps just before an event that made the same calls in the same states, if there are two or more. */
export function nearestRepetition(rows: readonly Row[], at: number): Repetition | undefined {
  const turns = turnsIn(rows.slice(Math.max(0, at + 1 - ROWS_MAX), at + 1))
  let best: Repetition | undefined
  for (let lap = 1; lap <= LAP_MAX; lap++) {
    const times = timesOf(turns, lap)
    if (times < 2 || (best && best.states.length * best.times >= lap * times)) continue
    best = { states: turns.slice(-lap).map(({ state }) => state), times }
  }
  return best
}

function turnsIn(rows: readonly Row[]): readonly Turn[] {
  const turns: Turn[] = []
  const seen = new Set<string>()
  for (const { event } of rows) {
    if (event.type === 'turn.started') {
      const state = event.effect.replace(/#\d+$/, '')
      turns.push({ state, calls: state, ended: false })
    }
    const turn = turns.at(-1)
    if (turn && (event.type === 'node.done' || event.type === 'node.failed')) turn.ended = true
    if (!turn || !isCall(event) || seen.has(event.call)) continue
    seen.add(event.call)
    turn.calls += ` ${event.key}`
  }
  // The calls of a turn that goes on are not all made.
  return turns.at(-1)?.ended === false ? turns.slice(0, -1) : turns
}

type Call = Extract<
  AgentEvent,
  { readonly type: 'tool.called' | 'circuit.refused' | 'child.started' }
>

const isCall = (event: AgentEvent): event is Call =>
  event.type === 'tool.called' ||
  event.type === 'child.started' ||
  (event.type === 'circuit.refused' && event.kind === 'tool')

/** How often the last `lap` turns stand one after the other at the end. */
function timesOf(turns: readonly Turn[], lap: number): number {
  let same = 0
  for (let place = turns.length - 1 - lap; place >= 0; place--) {
    if (turns[place]?.calls !== turns[place + lap]?.calls) break
    same++
  }
  return 1 + Math.floor(same / lap)
}
