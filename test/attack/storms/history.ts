/** Which payments belong to the history of a thread: its own, and those that its parents had begun before the fork. */
import type { Payment, World } from './world.ts'

/** The thread without its children. */
export const rootOf = (name: string): string => name.split('/')[0] ?? ''

/** A thread, and the threads it was forked from. `at`: the latest event that it shares with them. */
export function* lineageOf({ forks }: World, root: string): Generator<{ of: string; at: number }> {
  let at = Number.POSITIVE_INFINITY
  for (let of: string | undefined = root; of !== undefined; ) {
    yield { of, at }
    const link = forks.get(of)
    at = Math.min(at, link?.at ?? at)
    of = link?.parent
  }
}

/** Whether a payment was begun in the history of a thread, by the thread or by one of its children. */
export async function isInHistory(world: World, payment: Payment, root: string): Promise<boolean> {
  const [owner = '', ...path] = payment.key.split('/')
  // The call of the thread itself, such as `W#1/1`: a write, or the child that wrote.
  const call = path.slice(0, 2).join('/')
  for (const { of, at } of lineageOf(world, root)) {
    if (of !== owner) continue
    if (at === Number.POSITIVE_INFINITY) return true
    const rows = await world.store.rows(owner, -1, at + 1)
    return rows.some(
      ({ event }) =>
        (event.type === 'child.started' && event.call === call) ||
        (event.type === 'tool.called' && event.call === call && event.attempt === payment.attempt),
    )
  }
  return false
}

/** An earlier payment for the same purpose in the history of the thread that has made this one. */
export async function madeBefore(world: World, payment: Payment): Promise<Payment | undefined> {
  const root = rootOf(payment.key)
  for (const other of world.payments) {
    const isSame = other !== payment && other.purpose === payment.purpose
    if (isSame && (await isInHistory(world, other, root))) return other
  }
  return undefined
}

/** Whether a call of a thread, or of a child below it, has paid. */
export function hasPaid(world: World, thread: string, call: string): boolean {
  const [root = '', ...path] = thread.split('/')
  const names = [...lineageOf(world, root)].map(({ of }) => [of, ...path, call].join('/'))
  return world.payments.some(({ key }) =>
    names.some(name => key === name || key.startsWith(`${name}/`)),
  )
}
