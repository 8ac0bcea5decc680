/** The trace watcher and the watchdog find the same loop at the same event with the same detector. */
import { expect, test } from 'vitest'
import { type Act, TRACE_WATCHER, watchAct } from '../src/core/watch/trace-watcher.ts'
import type { Stamped } from '../src/core/watch/event/event.ts'
import { POLICY } from '../src/core/watch/policy/policy.ts'
import { plain } from './conformance/plain.ts'
import { watchedAs } from './conformance/report.ts'
import { SCENARIOS } from './conformance/scenario.ts'

/** The act of a trace that matches an event. */
function actOf(event: Stamped): Act | undefined {
  switch (event.type) {
    case 'model.done':
      return { act: 'said', by: event.subject, text: event.text }
    case 'tool.called':
      return { act: 'called', tool: event.subject, args: event.args, call: event.call }
    case 'tool.done':
      return { act: 'answered', call: event.call, ok: true, text: String(event.result) }
    case 'tool.failed':
      return { act: 'answered', call: event.call, ok: false, text: event.failure.message }
    default:
      return undefined
  }
}

/** The first event with a finding, and its detectors. A trace does not separate rounds, so each round starts a new watcher. */
function firstOf(events: readonly Stamped[]): readonly [number, readonly string[]] | undefined {
  let watcher = TRACE_WATCHER
  for (const [seq, event] of events.entries()) {
    if (event.type === 'message') watcher = TRACE_WATCHER
    const act = actOf(event)
    const [next, found] = act ? watchAct(watcher, act, POLICY.detect) : [watcher, []]
    if (found.length > 0) return [seq, found.map(({ detector }) => detector)]
    watcher = next
  }
  return undefined
}

// That a command was expected is in no trace, nor are the refusals of a breaker, by which a dead tool is known sooner.
test.each(SCENARIOS.filter(({ name, driven }) => !driven?.commandExpected && name !== 'dead tool'))(
  '$name',
  async scenario => {
    const { rows } = await plain.run(scenario, watchedAs(scenario))
    // What a breaker refuses is in no trace: up to then, both have seen the same.
    const refused = rows.findIndex(({ event }) => event.type === 'circuit.refused')
    const shared = refused < 0 ? rows : rows.slice(0, refused)
    const first = shared.find(({ findings }) => findings.length > 0)
    expect(firstOf(shared.map(({ event }) => event))).toEqual(
      first && [first.seq, first.findings.map(({ detector }) => detector)],
    )
  },
)
