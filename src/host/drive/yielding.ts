/**
 * Gives the event loop turns between the calls of public methods. A store in this process answers without one: a tool that polls a
 * thread in a loop would keep its own timeout, signals and the other thread from running.
 */
import { setImmediate } from 'node:timers/promises'
import { YIELD_AFTER, YIELD_EVERY } from '../../runtime/time/yield.ts'

/** The calls since the last turn of the event loop, and the end of the next turn. */
interface Calls {
  readonly since: number
  readonly turn: Promise<void>
  count: number
}

/** One for the process, as the event loop is. A caller that does not repeat its calls never waits. */
let calls: Calls | undefined

/** Counts a call. Returns the turn of the event loop that the caller must wait for. */
export function countCall(): Promise<void> | undefined {
  const now = performance.now()
  calls ??= { since: now, turn: nextTurn(), count: 0 }
  const isDue = ++calls.count > YIELD_EVERY || now - calls.since > YIELD_AFTER
  return isDue ? calls.turn : undefined
}

async function nextTurn(): Promise<void> {
  await setImmediate()
  calls = undefined
}

/**
 * Wraps the methods of an object in place: they wait for a turn of the event loop now and then. They wait before their work: between a
 * result and what its caller does next, no driven thread runs on. `immediate` names the methods that return no promise.
 */
export function withYields<T extends object>(methods: T, immediate: readonly (keyof T)[]): T {
  const wrapped = methods as Record<string, unknown>
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method !== 'function') continue
    wrapped[name] = (immediate as readonly string[]).includes(name)
      ? (...args: readonly unknown[]) => yieldBetweenItems(method(...args))
      : (...args: readonly unknown[]) => {
          const turn = countCall()
          return turn ? turn.then(() => method(...args)) : method(...args)
        }
  }
  return methods
}

const yieldBetweenItems = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
    ? itemsWithYields(value as AsyncIterable<unknown>)
    : value

/** Not a generator: past its end it answers without a turn. */
function itemsWithYields(items: AsyncIterable<unknown>): AsyncIterableIterator<unknown> {
  const source = items[Symbol.asyncIterator]()
  return {
    async next() {
      await countCall()
      return source.next()
    },
    async return(value) {
      // A reader that takes no item, or one, and asks again waits, too.
      await countCall()
      return (await source.return?.(value)) ?? { done: true, value }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
