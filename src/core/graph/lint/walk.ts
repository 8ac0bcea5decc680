/** Walks along the edges of a graph. Rules walk once for each node or tool: with sets of names, a dense graph would take minutes. */

type Ends = Readonly<{ source: string; target: string }>

/** The names that a walk reaches, those where it starts included, the nearest first. */
export interface Reached extends Iterable<string> {
  has(name: string): boolean
}

type From<E> = (starts: Iterable<string>, passable: (edge: E) => boolean) => Reached

export interface Walk<E> {
  readonly forwards: From<E>
  readonly backwards: From<E>
}

export function walkOf<E extends Ends>(names: readonly string[], edges: readonly E[]): Walk<E> {
  const places = new Map(names.map((name, place) => [name, place]))
  const outwards = names.map((): Step<E>[] => [])
  const inwards = names.map((): Step<E>[] => [])
  for (const edge of edges) {
    const source = places.get(edge.source)
    const target = places.get(edge.target)
    if (source === undefined || target === undefined) continue
    outwards[source]?.push({ edge, to: target })
    inwards[target]?.push({ edge, to: source })
  }
  return { forwards: along(outwards, names, places), backwards: along(inwards, names, places) }
}

type Step<E> = Readonly<{ edge: E; to: number }>

function along<E>(
  steps: readonly (readonly Step<E>[])[],
  names: readonly string[],
  places: ReadonlyMap<string, number>,
): From<E> {
  return (starts, passable) => {
    const reached: number[] = []
    const isReached = new Uint8Array(names.length)
    const reach = (place: number) => {
      if (isReached[place] === 1) return
      isReached[place] = 1
      reached.push(place)
    }
    for (const name of starts) {
      const place = places.get(name)
      if (place !== undefined) reach(place)
    }
    // A list is iterated by index, including places that are added meanwhile.
    for (const place of reached)
      for (const { edge, to } of steps[place] ?? [])
        if (isReached[to] === 0 && passable(edge)) reach(to)
    return {
      has: name => isReached[places.get(name) ?? -1] === 1,
      *[Symbol.iterator]() {
        for (const place of reached) yield names[place] ?? ''
      },
    }
  }
}
