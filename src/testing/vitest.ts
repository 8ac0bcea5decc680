/** `escapement/testing/vitest`: matchers for vitest about what came of a play. Import it once, in a setup file or in a test. */
import { expect } from 'vitest'
import { explain } from '../core/watch/reason/reason.ts'
import type { FindingKind } from '../core/watch/event/finding.ts'
import { canonical } from '../core/watch/data/signature.ts'
import type { Played } from './play.ts'

/** What `expect(played)` can do once this module is imported. */
export interface PlayMatchers<R = unknown> {
  /** The run ended successfully. */
  toReachGoal(): R
  /** A rung of the ladder was taken: `retry`, `rethink`, `alternative`, … `to`: the state it led to. */
  toEscapeBy(rung: string, where?: { readonly to?: string }): R
  /** A tool was called; attempts of one call count once. */
  toHaveCalled(tool: string, how?: { readonly times?: number; readonly with?: unknown }): R
  /** A detector found something: `loop`, `stall`, `budget`, `failure`, … */
  toFind(kind: FindingKind): R
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends PlayMatchers<R> {}
}

/** What happened, in a few lines: the second half of each message. */
function happened({ outcome, because, escapes, findings, calls }: Played): string {
  const counts = Map.groupBy(calls, ({ tool }) => tool)
  const list = (all: readonly string[]) => all.join(', ') || 'none'
  return [
    `It ${outcome === undefined ? `is open: ${because}` : `ended with ${outcome}: ${because}`}.`,
    `Calls: ${list([...counts].map(([tool, all]) => `${tool} × ${all.length}`))}.`,
    `Escapes: ${list(escapes.map(({ rung, to }) => (to === undefined ? rung : `${rung} to ${to}`)))}.`,
    `Findings: ${list(findings.map(({ kind, reason }) => `${kind} (${explain(reason)})`))}.`,
  ].join('\n')
}

function matched(pass: boolean, played: Played, expected: string) {
  return {
    pass,
    message: () => `expected the run ${pass ? 'not ' : ''}to ${expected}\n${happened(played)}`,
  }
}

expect.extend({
  toReachGoal: (played: Played) => matched(played.outcome === 'success', played, 'reach its goal'),
  toEscapeBy: (played: Played, rung: string, { to }: { readonly to?: string } = {}) =>
    matched(
      played.escapes.some(taken => taken.rung === rung && (to === undefined || taken.to === to)),
      played,
      `escape by ${rung}${to === undefined ? '' : ` to ${to}`}`,
    ),
  toHaveCalled(
    played: Played,
    tool: string,
    { times, with: args }: { readonly times?: number; readonly with?: unknown } = {},
  ) {
    const fitting = played.calls.filter(
      call => call.tool === tool && (args === undefined || this.equals(call.args, args)),
    )
    const expected = `call ${tool}${args === undefined ? '' : ` with ${canonical(args)}`}${times === undefined ? '' : ` ${times} times; it did ${fitting.length} times`}`
    return matched(
      times === undefined ? fitting.length > 0 : fitting.length === times,
      played,
      expected,
    )
  },
  toFind: (played: Played, kind: FindingKind) =>
    matched(
      played.findings.some(finding => finding.kind === kind),
      played,
      `find a ${kind}`,
    ),
})
