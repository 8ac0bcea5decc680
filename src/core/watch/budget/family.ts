/** Threads of one scope of which one has started the other: what the child has spent is its parent's, too, once that has heard that it ended. */
import type { Share } from './scope.ts'

type Member = Pick<Share, 'thread' | 'parent' | 'out'>

/** The shares whose spending is in no other one of them. */
export function notBooked<S extends Member>(shares: readonly S[]): readonly S[] {
  const known = new Map(shares.map(share => [share.thread, share]))
  return shares.filter(({ thread, parent }) => {
    if (parent === undefined) return true
    const above = ancestorsOf(thread).find(name => known.has(name))
    return above === undefined || known.get(above)?.out?.some(child => child === thread || isBelow(thread, child)) === true
  })
}

/** The shares that are not of a child of `thread`, nor of a child of that: what these may spend the thread has set aside itself. */
export function notBelow<S extends Member>(shares: readonly S[], thread: string): readonly S[] {
  return shares.filter(share => share.parent === undefined || !isBelow(share.thread, thread))
}

/** A child is named by its parent and the call that started it. */
function isBelow(thread: string, above: string): boolean {
  return thread.startsWith(`${above}/`)
}

/** Every name that an ancestor of `thread` can have, the nearest first. */
function ancestorsOf(thread: string): readonly string[] {
  const parts = thread.split('/')
  return parts.slice(1).map((_, gone) => parts.slice(0, -1 - gone).join('/'))
}
