/** Laws of scopes: a window forgets neither too early nor much too late, and what is remembered stays small. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  scopeLimits,
  peerSummary,
  type ScopeWatch,
  scopesAfter,
  type Share,
} from '../../src/core/watch/budget/scope.ts'
import { NOTHING_SPENT, type Spent } from '../../src/core/watch/event/spent.ts'

const PER = 16_000
const SLOT = PER / 16
const LIMITS = { key: 'law', per: PER, loops: 3, toolCalls: 1_000 }
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

/** A thread that spends as told, and what it remembers of that. */
function walked(steps: readonly { readonly later: number; readonly calls: number }[]): {
  readonly scopes: Record<string, ScopeWatch>
  readonly spent: Spent
  readonly at: number
  readonly told: readonly PublishedShare[]
} {
  let scopes: Readonly<Record<string, ScopeWatch>> = scopesAfter({}, SCOPES, {
    note: undefined,
    spent: NOTHING_SPENT,
    at: 0,
  })
  let [spent, at] = [NOTHING_SPENT, 0]
  const told: PublishedShare[] = []
  for (const { later, calls } of steps) {
    at += later
    spent = { ...spent, toolCalls: spent.toolCalls + calls }
    told.push({ at, calls })
    scopes = scopesAfter(scopes, SCOPES, { note: undefined, spent, at })
    expect(scopes.job?.points.length).toBeLessThanOrEqual(18)
  }
  return { scopes, spent, at, told }
}

function since(told: readonly PublishedShare[], then: number): number {
  return told.filter(({ at }) => at > then).reduce((sum, { calls }) => sum + calls, 0)
}

test('what a thread spent itself counts for the window, and for a slot more at most', () => {
  fc.assert(
    fc.property(spendingPath, fc.nat(40_000), (steps, wait) => {
      const { scopes, spent, at, told } = walked(steps)
      const now = at + wait
      const [bound] = scopeLimits(scopes, SCOPES, now, { at, spent, granted: {} })
      const counted = 1_000 - ((bound?.most ?? 0) - spent.toolCalls)
      expect(counted).toBeGreaterThanOrEqual(since(told, now - PER))
      expect(counted).toBeLessThanOrEqual(since(told, now - PER - SLOT - longest(steps)))
    }),
  )
})

test('what the others are told of it is the same', () => {
  fc.assert(
    fc.property(spendingPath, fc.nat(40_000), (steps, wait) => {
      const { scopes, spent, at, told } = walked(steps)
      const share: Share = {
        scope: 'job',
        key: 'law',
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
      expect(noted.toolCalls).toBeGreaterThanOrEqual(since(told, at + wait - PER))
      expect(noted.toolCalls).toBeLessThanOrEqual(
        since(told, at + wait - PER - SLOT - longest(steps)),
      )
    }),
  )
})

/** Where a thread was silent for long, the slot before is as long. */
function longest(steps: readonly { readonly later: number }[]): number {
  return Math.max(...steps.map(({ later }) => later))
}

/** A thread and those it has started: `told`: it shares in the scope; `booked`: its parent has heard that it ended, and so have those below of theirs. */
interface Relatives {
  readonly calls: number
  readonly told: boolean
  readonly booked: boolean
  readonly below: readonly Relatives[]
}

const relatives: (deep: number) => fc.Arbitrary<Relatives> = fc.memo(deep =>
  fc.record({
    calls: fc.nat(9),
    told: fc.boolean(),
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
    key: 'law',
    thread,
    at: PER,
    spent: { ...NOTHING_SPENT, toolCalls: spentBy(of) },
    points: [],
    loops: [],
    dismissed: [],
    limits: LIMITS,
    until: null,
  }
  const own = of.told
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

/** What all have spent of which the scope has been told, each once. */
function publishedOnce(of: Relatives, above = false): number {
  const heard = of.told || (above && of.booked)
  return of.below.reduce((sum, child) => sum + publishedOnce(child, heard), heard ? of.calls : 0)
}

test('what a child has spent counts once, however many of its family share in the scope', () => {
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
