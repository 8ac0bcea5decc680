/** The four tasks of the grid, each with an external system of its own. */
import type { Json } from '../../src/core/watch/data/json.ts'
import { draw } from '../../src/core/watch/data/json.ts'
import {
  type Decide,
  DONE,
  GIVEN_UP,
  givenUp,
  HABITS,
  report,
  sourceOf,
  trusted,
  valueOf,
} from './agent.ts'

export type Tool = (args: Readonly<Record<string, Json>>) => Json

/** The state behind the tools of one run. */
export interface World {
  readonly tools: Readonly<Record<string, Tool>>
  /** Whether the task is done as it should be. */
  readonly correct: () => boolean
  readonly progress: () => number
  /** Whether a check passed, and nothing was changed after it. */
  readonly verified: () => boolean
}

export interface Worker {
  readonly name: string
  readonly goal: string
  readonly tools: readonly string[]
  readonly decide: (seed: number) => Decide
}

export interface Task {
  readonly topology: 'line' | 'branch' | 'cycle' | 'two agents'
  /** The tool that the fault hits, and another way to the same fact. */
  readonly main: string
  readonly backup: string
  /** Whether the other way answers the same call in its place. */
  readonly isSubstitute: boolean
  /** One agent, or two that work in turn. */
  readonly workers: readonly [Worker] | readonly [Worker, Worker]
  readonly world: (seed: number) => World
}

/** A check that compares what was done with what is true, and is wrong at times. */
function audited(seed: number, correct: () => boolean, state: () => string) {
  let passedAt: string | undefined
  return {
    audit: () => {
      const passed = correct() || draw(seed, 'audit', state()) < HABITS.misses
      passedAt = passed ? state() : undefined
      return { passed, reason: passed ? '' : 'the records do not agree with the source' }
    },
    verified: () => passedAt !== undefined && passedAt === state(),
  }
}

/** Between `from` and `to`, by the seed. */
const between = (seed: number, from: number, to: number): number =>
  from + Math.floor(draw(seed, 'task') * (to - from))

function shop(seed: number): World {
  const price = between(seed, 40, 90)
  let ordered: Json = null
  let looked = 0
  const correct = () => ordered === price
  const { audit, verified } = audited(seed, correct, () => String(ordered))
  const quote = () => {
    looked = 1
    return { item: 'clock', price }
  }
  return {
    tools: {
      lookup: () => ({ item: 'clock', code: 1000 }),
      list_price: quote,
      catalog: quote,
      order: ({ price: at = null }) => {
        ordered = at
        return { ordered: 'clock' }
      },
      audit,
    },
    correct,
    verified,
    progress: () => looked + (ordered === null ? 0 : 1),
  }
}

const ORDER = 'Order one clock at its present price.'

const LINE: Task = {
  topology: 'line',
  main: 'list_price',
  backup: 'catalog',
  isSubstitute: true,
  world: shop,
  workers: [
    {
      name: 'clerk',
      goal: ORDER,
      tools: ['lookup', 'list_price', 'catalog', 'order', 'audit'],
      decide: seed => (view, chance) => {
        const stop = givenUp(view, seed)
        if (stop) return stop
        if (!valueOf(view.seen, 'lookup')) return { tool: 'lookup', args: { item: 'clock' } }
        const seen = trusted(view)
        const quote = valueOf(seen, 'list_price', 'catalog')
        if (!quote) {
          const tool = sourceOf(view, { main: 'list_price', backup: 'catalog' }, chance)
          return { tool, args: { item: 'clock' } }
        }
        if (!valueOf(seen, 'order'))
          return { tool: 'order', args: { item: 'clock', price: quote.value.price ?? null } }
        return report(view, seed)
      },
    },
  ],
}

function carriers(seed: number): World {
  const costs = { rail: between(seed, 40, 60), road: between(seed, 60, 90) }
  let booked: { readonly by: 'rail' | 'road'; readonly price: Json } | undefined
  let quoted = 0
  const correct = () => booked !== undefined && booked.price === costs[booked.by]
  const { audit, verified } = audited(seed, correct, () => JSON.stringify(booked))
  const quote = (by: 'rail' | 'road') => () => {
    quoted = 1
    return { by, price: costs[by] }
  }
  const book =
    (by: 'rail' | 'road'): Tool =>
    ({ price = null }) => {
      booked = { by, price }
      return { booked: by }
    }
  return {
    tools: {
      rail_quote: quote('rail'),
      rail_book: book('rail'),
      road_quote: quote('road'),
      road_book: book('road'),
      audit,
    },
    correct,
    verified,
    progress: () => quoted + (booked ? 1 : 0),
  }
}

const BRANCH: Task = {
  topology: 'branch',
  main: 'rail_quote',
  backup: 'road_quote',
  isSubstitute: false,
  world: carriers,
  workers: [
    {
      name: 'shipper',
      goal: 'Book a carrier at its quoted price.',
      tools: ['rail_quote', 'rail_book', 'road_quote', 'road_book', 'audit'],
      decide: seed => (view, chance) => {
        const stop = givenUp(view, seed)
        if (stop) return stop
        const seen = trusted(view)
        const quote = valueOf(seen, 'rail_quote', 'road_quote')
        if (!quote) {
          const tool = sourceOf(view, { main: 'rail_quote', backup: 'road_quote' }, chance)
          return { tool, args: { to: 'Oslo' } }
        }
        const book = quote.tool.replace('quote', 'book')
        if (!valueOf(seen, book))
          return { tool: book, args: { to: 'Oslo', price: quote.value.price ?? null } }
        return report(view, seed)
      },
    },
  ],
}

/** The level in a tank: each change has only part of its effect, so it takes several laps. */
const TARGET = 500
const NEAR = 15
const EFFECT = 0.7

function tank(seed: number): World {
  let level = between(seed, 150, 350)
  let changes = 0
  const first = level
  const correct = () => Math.abs(level - TARGET) <= NEAR
  const { audit, verified } = audited(seed, correct, () => String(level))
  const gauge = () => ({ level })
  return {
    tools: {
      gauge,
      second_gauge: gauge,
      adjust: ({ by }) => {
        level = Math.round(level + EFFECT * Number(by))
        changes++
        return { adjusted: true, change: changes }
      },
      audit,
    },
    correct,
    verified,
    progress: () => Math.max(0, Math.abs(first - TARGET) - Math.abs(level - TARGET)),
  }
}

const CYCLE: Task = {
  topology: 'cycle',
  main: 'gauge',
  backup: 'second_gauge',
  isSubstitute: true,
  world: tank,
  workers: [
    {
      name: 'operator',
      goal: `Bring the level to ${TARGET}.`,
      tools: ['gauge', 'second_gauge', 'adjust', 'audit'],
      decide: seed => (view, chance) => {
        const stop = givenUp(view, seed)
        if (stop) return stop
        const since = trusted(view)
        const changed = since.findLastIndex(of => of.kind === 'result' && of.tool === 'adjust')
        const read = valueOf(since.slice(changed + 1), 'gauge', 'second_gauge')
        if (!read) {
          const tool = sourceOf(view, { main: 'gauge', backup: 'second_gauge' }, chance)
          return { tool, args: { lap: view.seen.filter(isChange).length } }
        }
        const off = TARGET - Number(read.value.level)
        if (Math.abs(off) > NEAR) return { tool: 'adjust', args: { by: off } }
        return report(view, seed)
      },
    },
  ],
}

const isChange = (of: { readonly kind: string; readonly tool?: string }) => of.tool === 'adjust'

/** What one agent reports to the other. */
const FOUND = 'The price is'
export const ASKS_AGAIN = 'Look again'

const TWO: Task = {
  topology: 'two agents',
  main: 'list_price',
  backup: 'catalog',
  isSubstitute: true,
  world: seed => {
    const { tools, ...world } = shop(seed)
    const { lookup: _, ...others } = tools
    return { ...world, tools: others }
  },
  workers: [
    {
      name: 'scout',
      goal: 'Find the present price of the clock.',
      tools: ['list_price', 'catalog'],
      decide: seed => (view, chance) => {
        const stop = givenUp(view, seed)
        if (stop) return 'say' in stop && stop.say === DONE ? { say: `${FOUND} 60.` } : stop
        const quote = valueOf(trusted(view), 'list_price', 'catalog')
        if (quote) return { say: `${FOUND} ${quote.value.price}.` }
        const tool = sourceOf(view, { main: 'list_price', backup: 'catalog' }, chance)
        return { tool, args: { item: 'clock' } }
      },
    },
    {
      name: 'buyer',
      goal: ORDER,
      tools: ['order', 'audit'],
      decide: seed => view => {
        const [, price] = new RegExp(`${FOUND} (\\d+)`).exec(view.opening) ?? []
        if (price === undefined)
          return { say: view.opening.includes(GIVEN_UP) ? ASKS_AGAIN : GIVEN_UP }
        const seen = trusted(view)
        // A rejected order needs another price, which only the scout can find.
        if (seen.length < view.seen.length) return { say: `${ASKS_AGAIN}: not accepted` }
        if (!valueOf(seen, 'order')) return { tool: 'order', args: { price: Number(price) } }
        return report(view, seed)
      },
    },
  ],
}

export const TASKS: readonly Task[] = [LINE, BRANCH, CYCLE, TWO]
