/** Lint: the nodes that all loops through a node have in common. */

/** The nodes to which edges of a node lead. */
type Next = (name: string) => readonly string[]

/**
 * The nodes on every path from a node back to itself, itself included; `undefined` without such a path. They are those on a shortest
 * path that nothing leads past: from the nodes before each one, no way leads further along the path. Takes linear time.
 */
export function onEveryLoop(source: string, next: Next): ReadonlySet<string> | undefined {
  const path = loopThrough(source, next)
  if (!path) return undefined
  // The source is also the end of the path.
  const place = new Map([...path.slice(1).entries()].map(([index, name]) => [name, index + 1]))
  const every = new Set([source])
  const passed = new Set<string>()
  let reach = 0
  for (const [index, name] of path.slice(0, -1).entries()) {
    if (index > 0 && reach === index) every.add(name)
    const left = [name]
    for (let from = left.pop(); from !== undefined; from = left.pop())
      for (const to of next(from)) {
        const at = place.get(to)
        if (at !== undefined) reach = Math.max(reach, at)
        else if (!passed.has(to)) left.push(to)
        passed.add(to)
      }
  }
  return every
}

/** A shortest path from a node back to itself. */
function loopThrough(source: string, next: Next): readonly string[] | undefined {
  const before = new Map<string, string>()
  const queue = [source]
  // The queue grows while it is iterated: the nearest first.
  for (const from of queue)
    for (const to of next(from))
      if (!before.has(to)) {
        before.set(to, from)
        queue.push(to)
      }
  if (!before.has(source)) return undefined
  const path = [source]
  for (let at = before.get(source); at !== source && at !== undefined; at = before.get(at))
    path.unshift(at)
  return [source, ...path]
}
