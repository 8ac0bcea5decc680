/** Lint: the nodes that all loops through a node have in common. */

/** The nodes to which edges of each node lead. */
type Next = readonly (readonly number[])[]

/**
 * The nodes on every path from a node back to itself, itself included; `undefined` without such a path. They are those on a shortest
 * path that nothing leads past: from the nodes before each one, no way leads further along the path. Takes linear time.
 */
export function onEveryLoop(source: number, next: Next): ReadonlySet<number> | undefined {
  const path = loopThrough(source, next)
  if (!path) return undefined
  // The source is also the end of the path.
  const placeOf = new Int32Array(next.length)
  for (let index = 1; index < path.length; index++) placeOf[path[index] as number] = index
  const every = new Set([source])
  const isPassed = new Uint8Array(next.length)
  let reach = 0
  for (let index = 0; reach < path.length - 1; index++) {
    if (index > 0 && reach === index) every.add(path[index] as number)
    const left = [path[index] as number]
    for (let from = left.pop(); from !== undefined; from = left.pop())
      for (const to of next[from] ?? []) {
        if (isPassed[to] === 1) continue
        isPassed[to] = 1
        const place = placeOf[to] ?? 0
        if (place > 0) reach = Math.max(reach, place)
        else left.push(to)
      }
  }
  return every
}

/** A shortest path from a node back to itself. */
function loopThrough(source: number, next: Next): readonly number[] | undefined {
  const before = new Int32Array(next.length).fill(-1)
  const queue = [source]
  // The queue grows while it is iterated: the nearest first.
  for (const from of queue)
    for (const to of next[from] ?? [])
      if (before[to] === -1) {
        before[to] = from
        if (to === source) return pathTo(source, before)
        queue.push(to)
      }
  return undefined
}

function pathTo(source: number, before: Int32Array): readonly number[] {
  const path = [source]
  for (let at = before[source]; at !== source && at !== undefined; at = before[at]) path.push(at)
  return [...path, source].reverse()
}
