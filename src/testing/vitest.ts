/** `escapement/testing/vitest`: matchers for the result of a play. Import it once, in a setup file or in a test. */
import { expect } from 'vitest'
import { canonical } from '../core/watch/data/json.ts'
import type { FindingKind } from '../core/watch/event/event.ts'
import { explain } from '../core/watch/reason/reason.ts'
import type { Played } from './play.ts'

/** How often a tool was called, and with which arguments. */
export interface CallExpectation {
  readonly times?: number
  /** All arguments, as `toEqual` compares them, or a matcher such as `expect.objectContaining({ amount: 50 })`. */
  readonly with?: unknown
}

/** The matchers that importing this module adds to `expect(played)`. */
export interface PlayMatchers<R = unknown> {
  /** The run ended successfully. */
  toReachGoal(): R
  /** A rung of the ladder was used: `retry`, `rethink`, `alternative`, … `to`: the state it led to. */
  toEscapeBy(rung: string, where?: { readonly to?: string }): R
  /** A tool was called. Attempts of one call count once, requests that were not made do not count. */
  toHaveCalled(tool: string, how?: CallExpectation): R
  /** A detector found something: `loop`, `stall`, `budget`, `failure`, … */
  toFind(kind: FindingKind): R
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends PlayMatchers<R> {}
}

function checked(played: Played): Played {
  if (Array.isArray(played?.calls)) return played
  throw new TypeError('expected the result of a play: expect(await play(graph, …))')
}

/** Summarizes the run for the failure message. */
function summaryOf({ outcome, because, escapes, findings, calls }: Played): string {
  const made = calls.filter(({ attempts }) => attempts > 0)
  const refused = calls.flatMap(({ tool, args, attempts, failure }) =>
    attempts === 0 && failure ? [`${tool} ${canonical(args)} (${failure.message})`] : [],
  )
  const counts = [...Map.groupBy(made, ({ tool }) => tool)]
  const list = (all: readonly string[]) => all.join(', ') || 'none'
  return [
    `It ${outcome === undefined ? `is open: ${because}` : `ended with ${outcome}: ${because}`}.`,
    `Calls: ${list(counts.map(([tool, all]) => `${tool} × ${all.length}`))}.`,
    ...(refused.length > 0 ? [`Not made: ${refused.join(', ')}.`] : []),
    `Escapes: ${list(escapes.map(({ rung, to }) => (to === undefined ? rung : `${rung} to ${to}`)))}.`,
    `Findings: ${list(findings.map(({ kind, reason }) => `${kind} (${explain(reason)})`))}.`,
  ].join('\n')
}

function result(pass: boolean, played: Played, expected: string) {
  const message = () => `expected the run ${pass ? 'not ' : ''}to ${expected}\n${summaryOf(played)}`
  return { pass, message }
}

/** Calls whose arguments a failure prints, and the characters of each. */
const ARGUMENTS_MAX = 5
const ARGUMENTS_CHARACTERS_MAX = 500

/** The arguments of the last calls of a tool, for the failure message. */
function argumentsOf(calls: Played['calls'], textOf: (value: unknown) => string): string {
  const last = calls.slice(-ARGUMENTS_MAX)
  const [{ tool } = { tool: '' }] = last
  if (tool === '') return ''
  const which = calls.length > last.length ? `the last ${last.length} calls` : 'the calls'
  const texts = last.map(({ args }) => {
    const text = textOf(args)
    const isLong = text.length > ARGUMENTS_CHARACTERS_MAX
    return isLong ? `${text.slice(0, ARGUMENTS_CHARACTERS_MAX)}…` : text
  })
  return [`\nArguments of ${which} of ${tool}:`, ...texts].join('\n  ')
}

expect.extend({
  toReachGoal: (played: Played) =>
    result(checked(played).outcome === 'success', played, 'reach its goal'),
  toEscapeBy(played: Played, rung: string, { to }: { readonly to?: string } = {}) {
    const pass = checked(played).escapes.some(
      escape => escape.rung === rung && (to === undefined || escape.to === to),
    )
    return result(pass, played, `escape by ${rung}${to === undefined ? '' : ` to ${to}`}`)
  },
  toHaveCalled(played: Played, tool: string, { times, with: args }: CallExpectation = {}) {
    const made = checked(played).calls.filter(call => call.tool === tool && call.attempts > 0)
    const { length } = made.filter(call => args === undefined || this.equals(call.args, args))
    const textOf = (value: unknown) => this.utils.stringify(value, undefined, { min: true })
    const count = times === undefined ? '' : ` ${times} times; it did ${length} times`
    const pass = times === undefined ? length > 0 : length === times
    if (args === undefined) return result(pass, played, `call ${tool}${count}`)
    const expected = `call ${tool} with ${textOf(args)}${count}`
    return result(pass, played, `${expected}${argumentsOf(made, textOf)}`)
  },
  toFind: (played: Played, kind: FindingKind) =>
    result(
      checked(played).findings.some(finding => finding.kind === kind),
      played,
      `find a ${kind}`,
    ),
})
