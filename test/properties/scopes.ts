/** Properties of scopes: a window drops spending neither too early nor much too late, and its state stays small. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  scopeLimits,
  peerSummary,
  type ScopeWatch,
  scopesAfter,
  type Share,
} from '../../src/core/watch/budget/scope.ts'
import { type Spent, NOTHING_SPENT } from '../../src/core/watch/event/call-event.ts'

const PER = 16_000
const SLOT = PER / 16
const LIMITS = { key: 'shared', per: PER, loops: 3, toolCalls: 1_000 }
const SCOPES = { job: LIMITS }

/** How long after the last time something was spent, and how much. */
const spendingPath = fc.array(fc.record({ later: fc.nat(5_000), calls: fc.nat(5) }), {
  minLength: 1,
  maxLength: 120,
})

interface PublishedShare {
  readonly at: number
  readonly calls: number
}

/** A thread that spends in the given steps, and its resulting state. */
function walked(steps: readonly { readonly later: number; readonly calls: number }[]): {
  readonly scopes: Record<string, ScopeWatch>
  readonly spent: Spent
  readonly at: number
  readonly published: readonly PublishedShare[]
} {
  let scopes: Readonly<Record<string, ScopeWatch>> = scopesAfter({}, SCOPES, {
    note: undefined,
    spent: NOTHING_SPENT,
    at: 0,
  })
  let [spent, at] = [NOTHING_SPENT, 0]
  const published: PublishedShare[] = []
  for (const { later, calls } of steps) {
    at += later
    spent = { ...spent, toolCalls: spent.toolCalls + calls }
    published.push({ at, calls })
    scopes = scopesAfter(scopes, SCOPES, { note: undefined, spent, at })
    expect(scopes.job?.points.length).toBeLessThanOrEqual(18)
  }
  return { scopes, spent, at, published }
}

function since(published: readonly PublishedShare[], then: number): number {
  return published.filter(({ at }) => at > then).reduce((sum, { calls }) => sum + calls, 0)
}

test('spending of a thread counts for the window, plus at most one slot', () => {
  fc.assert(
    fc.property(spendingPath, fc.nat(40_000), (steps, wait) => {
      const { scopes, spent, at, published } = walked(steps)
      const now = at + wait
      const [bound] = scopeLimits(scopes, SCOPES, now, { at, spent, granted: {} })
      const counted = 1_000 - ((bound?.most ?? 0) - spent.toolCalls)
      expect(counted).toBeGreaterThanOrEqual(since(published, now - PER))
      expect(counted).toBeLessThanOrEqual(since(published, now - PER - SLOT - longest(steps)))
    }),
  )
})

test('the share that other threads read counts the same spending', () => {
  fc.assert(
    fc.property(spendingPath, fc.nat(40_000), (steps, wait) => {
      const { scopes, spent, at, published } = walked(steps)
      const share: Share = {
        scope: 'job',
        key: 'shared',
        thread: 'other',
        at,
        spent,
        points: scopes.job?.points ?? [],
        loops: [],
        dismissed: [],
        limits: LIMITS,
        until: at + PER,
      }
      const { spent: noted } = peerSummary('job', [share], {
        thread: 'this',
        at: at + wait,
        limits: LIMITS,
        fresh: true,
      })
      expect(noted.toolCalls).toBeGreaterThanOrEqual(since(published, at + wait - PER))
      expect(noted.toolCalls).toBeLessThanOrEqual(
        since(published, at + wait - PER - SLOT - longest(steps)),
      )
    }),
  )
})

/** A long pause of a thread makes the slot before it as long. */
function longest(steps: readonly { readonly later: number }[]): number {
  return Math.max(...steps.map(({ later }) => later))
}

/** A thread and its children. `isMember`: it shares in the scope. `booked`: its parent recorded its end, and its children likewise. */
interface Relatives {
  readonly calls: number
  readonly isMember: boolean
  readonly booked: boolean
  readonly below: readonly Relatives[]
}

const relatives: (deep: number) => fc.Arbitrary<Relatives> = fc.memo(deep =>
  fc.record({
    calls: fc.nat(9),
    isMember: fc.boolean(),
    booked: fc.boolean(),
    below: deep > 1 ? fc.array(relatives(deep - 1), { maxLength: 3 }) : fc.constant([]),
  }),
)

const spentBy = ({ calls, below }: Relatives): number =>
  below.filter(({ booked }) => booked).reduce((sum, child) => sum + spentBy(child), calls)
const ended = (of: Relatives): Relatives => ({ ...of, booked: true, below: of.below.map(ended) })
const settled = (of: Relatives): Relatives =>
  of.booked ? ended(of) : { ...of, below: of.below.map(settled) }

function sharesOfRelatives(of: Relatives, thread: string, parent?: string): readonly Share[] {
  const children = of.below.map((child, nth) => ({ child, name: `${thread}/sub#${nth}/1` }))
  const out = children.filter(({ child }) => !child.booked).map(({ name }) => name)
  const share = {
    scope: 'job',
    key: 'shared',
    thread,
    at: PER,
    spent: { ...NOTHING_SPENT, toolCalls: spentBy(of) },
    points: [],
    loops: [],
    dismissed: [],
    limits: LIMITS,
    until: null,
  }
  const own = of.isMember
    ? [
        {
          ...share,
          ...(parent === undefined ? {} : { parent }),
          ...(out.length > 0 ? { out } : {}),
        },
      ]
    : []
  return [...own, ...children.flatMap(({ child, name }) => sharesOfRelatives(child, name, thread))]
}

/** The published spending of all threads, each counted once. */
function publishedOnce(of: Relatives, above = false): number {
  const isPublished = of.isMember || (above && of.booked)
  return of.below.reduce(
    (sum, child) => sum + publishedOnce(child, isPublished),
    isPublished ? of.calls : 0,
  )
}

test('spending of a child counts once, however many of its relatives share in the scope', () => {
  fc.assert(
    fc.property(relatives(4), drawn => {
      const family = settled({ ...drawn, booked: false })
      const { spent } = peerSummary('job', sharesOfRelatives(family, 'first'), {
        thread: 'another',
        at: PER,
        limits: LIMITS,
        fresh: true,
      })
      expect(spent.toolCalls).toBe(publishedOnce(family))
    }),
  )
})

test('a running child of a thread whose name begins alike counts as a peer', () => {
  const child = { calls: 90, isMember: true, booked: false, below: [] }
  const family = { calls: 0, isMember: true, booked: false, below: [child] }
  const spentAs = (name: string) =>
    peerSummary('job', sharesOfRelatives(family, name), {
      thread: 'job',
      at: PER,
      limits: LIMITS,
      fresh: false,
    }).spent.toolCalls
  expect(spentAs('job/1')).toBe(spentAs('work'))
  expect(spentAs('job/1')).toBe(90)
  expect(spentAs('job')).toBe(0)
})
