/**
 * Arrows for tools that lay out nested boxes. They cannot draw an arrow from a box into itself: such an arrow starts at a
 * mark `any` inside the box, and one that enters a box from within ends at the state it starts in.
 */
import { type Arrow, enclosingStates, type Outline } from './outline.ts'

export interface Connection extends Arrow {
  /** It starts at the mark `any` inside `source`. */
  readonly loose: boolean
  /** The innermost box that holds both ends; `undefined`: the machine itself. */
  readonly within: string | undefined
}

export function connectionsOf(outline: Outline): readonly Connection[] {
  const isParallel = parallels(outline)
  return outline.arrows.map(arrow => {
    const { source, target } = arrow
    const loose =
      source === outline.root ||
      (outline.leavesIn(source)[0] !== source &&
        (source === target || enclosingStates(outline, target).includes(source)))
    const inwards = source === target || enclosingStates(outline, source).includes(target)
    const end = inwards ? (outline.entered(target)[0] ?? target) : target
    const boxes =
      loose && source !== outline.root
        ? [source, ...enclosingStates(outline, source)]
        : enclosingStates(outline, source)
    const outer = enclosingStates(outline, end)
    // Regions are drawn apart from one another: nothing can be drawn from one to the next inside their state.
    return {
      ...arrow,
      target: end,
      loose,
      within: boxes.find(box => outer.includes(box) && !isParallel.has(box)),
    }
  })
}

/** The boxes that need a mark `any`. */
export function looseEnds(wires: readonly Connection[]): readonly string[] {
  return [...new Set(wires.filter(({ loose }) => loose).map(({ source }) => source))]
}

function parallels({ boxes }: Pick<Outline, 'boxes'>): ReadonlySet<string> {
  return new Set(
    boxes.flatMap(({ state, inner }) => [
      ...(state.kind === 'parallel' ? [state.id] : []),
      ...parallels({ boxes: inner }),
    ]),
  )
}
