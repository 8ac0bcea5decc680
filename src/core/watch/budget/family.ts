/** Threads of one scope of which some have started others: what a child has spent is its parent's, too, once that has heard that it ended. */

export interface Member {
  readonly thread: string
  /** The thread that started it, and those it has started whose spending is not yet in its own. */
  readonly parent?: string
  readonly out?: readonly string[]
}

/** Those whose spending is in no other one of them. */
export function topMembers<S extends Member>(members: readonly S[]): readonly S[] {
  const known = new Map(members.map(member => [member.thread, member]))
  return members.filter(({ thread, parent }) => {
    if (parent === undefined) return true
    const above = ancestorsOf(thread).find(name => known.has(name))
    return (
      above === undefined ||
      known.get(above)?.out?.some(child => child === thread || isBelow(thread, child)) === true
    )
  })
}

/** Those that are no child of `thread` nor of one of its children: what these may spend the thread has set aside itself. */
export function nonDescendants<S extends Member>(
  members: readonly S[],
  thread: string,
): readonly S[] {
  return members.filter(member => member.parent === undefined || !isBelow(member.thread, thread))
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
