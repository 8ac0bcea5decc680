/** The rungs that the ladder considered and rejected, with their codes. Stories print only the rung that was taken. */
import { describe, expect, test } from 'vitest'
import { NOTHING_SPENT } from '../src/core/watch/event/call-event.ts'
import type { Finding, FindingKind } from '../src/core/watch/event/event.ts'
import { choose, LADDER } from '../src/core/watch/escape/ladder.ts'
import type { CustomRung, EscapeRoutes } from '../src/core/watch/escape/rungs.ts'
import type { LadderInput } from '../src/core/watch/escape/ladder.ts'
import { POLICY } from '../src/core/watch/policy/policy.ts'
import type { Reason } from '../src/core/watch/reason/reason.ts'

function finding(kind: FindingKind = 'loop', more: Partial<Finding> = {}): Finding {
  return {
    kind,
    detector: 'sequence',
    region: '',
    id: 'loop',
    members: ['search'],
    period: 1,
    repeats: 3,
    onset: 1,
    noticed: 9,
    states: ['act'],
    events: [9],
    burned: NOTHING_SPENT,
    reason: { code: 'repeated-sequence', params: { calls: ['search'], times: 3 } },
    ...more,
  }
}

const ROUTES: EscapeRoutes = {
  state: 'act',
  alternatives: () => [{ from: 'act', to: 'other' }],
  rethinks: () => true,
  rollback: () => 3,
  leads: () => true,
  restrict: () => undefined,
  review: () => true,
}
const CLOSED: EscapeRoutes = {
  ...ROUTES,
  alternatives: () => [],
  rethinks: () => false,
  rollback: () => ({ code: 'irreversible-write', params: { tool: 'mail' } }),
  leads: () => false,
  review: () => false,
}

interface Case extends Partial<Omit<LadderInput, 'findings' | 'policy' | 'customRungs'>> {
  readonly finding?: Finding
  readonly mode?: 'act' | 'observe'
  readonly rungs?: readonly string[]
  readonly customRungs?: CustomRung
}

/** The rungs that were considered and not taken, and the one that was. */
function considered({
  finding: found = finding(),
  mode = 'act',
  rungs = POLICY.escape.ladder,
  customRungs,
  ladder = LADDER,
  routes = ROUTES,
}: Case): readonly [taken: string, ...(readonly [rung: string, reason: Reason])[]] {
  const verdict = choose({
    ladder,
    findings: [found],
    unattended: false,
    policy: { ...POLICY, mode, escape: { ...POLICY.escape, ladder: [...rungs, 'stop'] } },
    routes,
    path: [],
    customRungs: new Map(customRungs ? [[customRungs.name, customRungs]] : []),
  })
  if (verdict.kind !== 'escape') throw new Error('the ladder took no rung')
  return [
    verdict.route.rung,
    ...verdict.considered.map(({ rung, reason }) => [rung, reason] as const),
  ]
}

function custom(choose: CustomRung['choose']): Case {
  return { rungs: ['mine'], customRungs: { name: 'mine', version: 1, choose } }
}

describe('the ladder', () => {
  test('never lists retry and substitute: these act on single calls', () => {
    expect(considered({ rungs: ['retry', 'substitute', 'rethink'] })).toEqual(['rethink'])
  })

  test.each<[string, Case, string, Reason]>([
    [
      'a rung below its position',
      { rungs: ['rethink', 'alternative'], ladder: { ...LADDER, position: 1 } },
      'rethink',
      { code: 'rung-passed' },
    ],
    [
      'a rung that acts, in observe mode',
      { rungs: ['rethink'], mode: 'observe', finding: finding('failure') },
      'rethink',
      { code: 'observe-only' },
    ],
    [
      'a rung that earlier threads took in vain',
      {
        rungs: ['rethink'],
        finding: finding('loop', {
          scope: 'job',
          earlier: [
            { scope: 'job', thread: 't', seq: 1, at: 0, reason: { code: 'no-result' }, used: {} },
          ],
        }),
      },
      'rethink',
      { code: 'met-by-scope', params: { scope: 'job', threads: 1 } },
    ],
    [
      'rethinking for a spent budget',
      { rungs: ['rethink'], finding: finding('budget') },
      'rethink',
      { code: 'not-applicable', params: { rung: 'rethink', finding: 'budget' } },
    ],
    [
      'a rollback for a failure',
      { rungs: ['rollback'], finding: finding('failure') },
      'rollback',
      { code: 'not-applicable', params: { rung: 'rollback', finding: 'failure' } },
    ],
    [
      'rethinking without a smarter model',
      { rungs: ['rethink'], routes: CLOSED },
      'rethink',
      { code: 'no-smarter-model' },
    ],
    [
      'an alternative without an edge',
      { rungs: ['alternative'], routes: CLOSED },
      'alternative',
      { code: 'no-alternative-edge' },
    ],
    [
      'a rollback behind a write that cannot be undone',
      { rungs: ['rollback'], routes: CLOSED },
      'rollback',
      { code: 'irreversible-write', params: { tool: 'mail' } },
    ],
    [
      'a rollback without a savepoint',
      { rungs: ['rollback'], routes: { ...ROUTES, rollback: () => ({ code: 'no-savepoint' }) } },
      'rollback',
      { code: 'no-savepoint' },
    ],
    [
      'a review without a reviewer',
      { rungs: ['review'], routes: CLOSED },
      'review',
      { code: 'no-reviewer' },
    ],
    [
      'a rung whose budget in the thread is spent',
      { rungs: ['rethink'], ladder: { ...LADDER, used: { rethink: 99 } } },
      'rethink',
      {
        code: 'rung-budget-spent',
        params: { times: POLICY.escape.budget.rethink.total, of: 'thread', earlier: 0 },
      },
    ],
    [
      'a rung whose budget for the finding is spent',
      { rungs: ['rethink'], ladder: { ...LADDER, loops: { loop: { rethink: 99 } } } },
      'rethink',
      {
        code: 'rung-budget-spent',
        params: { times: POLICY.escape.budget.rethink.perLoop, of: 'finding', earlier: 0 },
      },
    ],
    [
      'a rung that no part defines',
      { rungs: ['mine'] },
      'mine',
      { code: 'unknown-rung', params: { rung: 'mine' } },
    ],
    [
      'a custom rung that declines with a text',
      custom(() => 'only on Mondays'),
      'mine',
      { code: 'custom', params: { text: 'only on Mondays' } },
    ],
    [
      'a custom rung that throws',
      custom(() => {
        throw new Error('no idea')
      }),
      'mine',
      { code: 'rung-broke', params: { message: 'no idea' } },
    ],
    [
      'a custom rung that returns no route',
      custom(() => ({ rung: 'home' }) as never),
      'mine',
      { code: 'invalid-rung-result' },
    ],
    [
      'a custom alternative without an edge',
      { ...custom(() => ({ rung: 'alternative', to: 'nowhere' })), routes: CLOSED },
      'mine',
      { code: 'no-alternative-edge', params: { to: 'nowhere' } },
    ],
    [
      'a custom rethinking without a smarter model',
      { ...custom(() => ({ rung: 'rethink', to: 'act' })), routes: CLOSED },
      'mine',
      { code: 'no-smarter-model', params: { state: 'act' } },
    ],
    [
      'a custom review without a reviewer',
      { ...custom(() => ({ rung: 'review' })), routes: CLOSED },
      'mine',
      { code: 'no-reviewer' },
    ],
  ])('lists %s', (_, of, rung, reason) => {
    const [taken, first] = considered(of)
    expect(first).toEqual([rung, reason])
    expect(taken).not.toBe(rung)
  })

  test('takes the first applicable rung, and lists no later one', () => {
    expect(considered({ rungs: ['rethink', 'alternative', 'review'] })).toEqual(['rethink'])
  })
})
