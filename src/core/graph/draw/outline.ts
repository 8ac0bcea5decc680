/** A chart in the form all drawings share: nested states, merged edges, short names. */
import type { Chart, ChartEdge, ChartState } from '../chart.ts'

export type Outline = ReturnType<typeof outlineOf>

export type Box = Readonly<{ state: ChartState; inner: readonly Box[] }>

export interface Arrow {
  readonly source: string
  readonly target: string
  readonly label: string
  readonly style: ChartEdge['kind']
  /** It leads to any state inside the target, as a person chooses. */
  readonly any: boolean
  /** It is taken when everything inside its source has ended. */
  readonly whenDone: boolean
  /** The ids of the edges that it stands for. */
  readonly edges: readonly string[]
}

/** The order in which the arrows of a state are drawn. */
const STYLES: readonly Arrow['style'][] = ['outcome', 'failure', 'escape']

const ROOT = '(machine)'

export function outlineOf(whole: Chart) {
  const chart = withoutUnusedEscapes(whole)
  const { id } = chart
  const states = new Map(chart.states.map(state => [state.id, state]))
  // Stands for the machine as the source of its arrows.
  const root = states.has(id) ? ROOT : id
  // Undefined if several states are initial.
  const initial = states.has(chart.initial) ? chart.initial : undefined
  const children = Map.groupBy(chart.states, ({ parent = root }) => parent)
  const childrenOf = (state: string) => (children.get(state) ?? []).map(({ id }) => id)
  // The states without children inside a state; itself, if it has no children.
  const leavesIn = (state: string): readonly string[] => {
    const inner = childrenOf(state)
    return inner.length === 0 ? [state] : inner.flatMap(leavesIn)
  }
  // The states without children that are entered with a state.
  const entered = (state: string): readonly string[] => {
    const first = state === root ? initial : states.get(state)?.initial
    if (first !== undefined) return entered(first)
    const inner = childrenOf(state)
    return inner.length === 0 ? [state] : inner.flatMap(entered)
  }
  // The states around a state, outermost last.
  const around = (state: string): readonly string[] => {
    const parent = states.get(state)?.parent
    return parent === undefined ? [] : [parent, ...around(parent)]
  }
  const arrows = mergeArrows(mergeChoices(chart, leavesIn)).toSorted(
    (a, b) => STYLES.indexOf(a.style) - STYLES.indexOf(b.style),
  )
  const bySource = Map.groupBy(arrows, ({ source }) => source)
  return {
    ...{ id, root, initial, leavesIn, entered, around },
    boxes: boxesIn(chart, undefined),
    arrows,
    arrowsFrom: (state: string): readonly Arrow[] => bySource.get(state) ?? [],
    nameOf: namesOf(chart),
  }
}

/** Removes the escapes that the policy disables, and a review without a way to ask. */
function withoutUnusedEscapes(chart: Chart): Chart {
  const edges = chart.edges.filter(({ from }) => from === undefined || from.length > 0)
  const targets = new Set(edges.map(({ target }) => target))
  const reviews = chart.edges.filter(({ rung }) => rung === 'review')
  const idle = new Set(reviews.map(({ target }) => target).filter(id => !targets.has(id)))
  return {
    ...chart,
    states: chart.states.filter(({ id }) => !idle.has(id)),
    edges: edges.filter(({ source }) => !idle.has(source)),
  }
}

function boxesIn(chart: Chart, parent: string | undefined): readonly Box[] {
  return chart.states
    .filter(state => state.parent === parent)
    .map(state => ({ state, inner: boxesIn(chart, state.id) }))
}

/** The key of a state, with as many keys of the states around it as make it unique. */
function namesOf({ states }: Chart): (state: string) => string {
  const counts = new Map<string, number>()
  for (const end of states.flatMap(({ id }) => endsOf(id)))
    counts.set(end, (counts.get(end) ?? 0) + 1)
  return state => endsOf(state).find(end => counts.get(end) === 1) ?? state
}

/** `c`, `b.c` and `a.b.c` of `a.b.c`. */
function endsOf(id: string): readonly string[] {
  const keys = id.split('.')
  return keys.map((_, index) => keys.slice(-index - 1).join('.'))
}

/** Merges edges that offer every state of a compound one, as the answer to a review does, into one arrow to it. */
function mergeChoices(
  chart: Chart,
  leavesIn: (state: string) => readonly string[],
): readonly Arrow[] {
  const excluded = new Set(chart.states.filter(isNotSelectable).map(({ id }) => id))
  const compounds = chart.states
    .filter(({ kind }) => kind === 'compound')
    .map(({ id }) => ({ id, inside: new Set(leavesIn(id)) }))
    .map(each => ({ ...each, leaves: [...each.inside].filter(leaf => !excluded.has(leaf)) }))
    .filter(({ leaves }) => leaves.length > 1)
  const keyOf = ({ source, event, rung = '' }: ChartEdge) => `${source} ${event} ${rung}`
  return [...Map.groupBy(chart.edges, keyOf).values()].flatMap(edges => {
    const targets = new Set(edges.map(({ target }) => target))
    const source = edges[0]?.source ?? ''
    const all = compounds
      .filter(({ id, inside }) => id !== source && !inside.has(source))
      .find(({ leaves }) => leaves.every(leaf => targets.has(leaf)))
    if (!all) return edges.flatMap(arrowsOf)
    const choice = edges.slice(0, 1).flatMap(arrowsOf)
    return [
      ...choice.map(arrow => {
        const merged = edges.filter(({ target }) => all.leaves.includes(target))
        return { ...arrow, target: all.id, any: true, edges: merged.map(({ id }) => id) }
      }),
      ...edges.filter(({ target }) => !all.leaves.includes(target)).flatMap(arrowsOf),
    ]
  })
}

/** A person cannot continue at an end, or at the review itself. */
function isNotSelectable({ kind, effects }: ChartState): boolean {
  const isReview = effects.some(({ type, node }) => type === 'interrupt' && node === 'review')
  return kind === 'final' || isReview
}

function arrowsOf(edge: ChartEdge): readonly Arrow[] {
  const { id, source, target, event, kind: style, rung, from, whenDone = false } = edge
  const route = rung === undefined ? 'escape' : `escape ${rung}`
  const label = style === 'escape' ? route : event
  const arrow = { source, target, label, style, any: false, whenDone, edges: [id] }
  if (style !== 'escape' || from === undefined) return [arrow]
  return [...Map.groupBy(from, ({ state }) => state)].map(([state, departures]) => {
    const kinds = departures.flatMap(({ on }) => on ?? [])
    // A departure for all kinds of findings needs no list of them.
    const isLimited = kinds.length === departures.length
    return { ...arrow, source: state, label: isLimited ? `${label} on ${kinds.join(', ')}` : label }
  })
}

function mergeArrows(arrows: readonly Arrow[]): readonly Arrow[] {
  const alike = Map.groupBy(
    arrows,
    ({ source, target, style, any, whenDone }) => `${source} ${style} ${target} ${any} ${whenDone}`,
  )
  return [...alike.values()].map(group => ({
    ...(group[0] as Arrow),
    label: [...new Set(group.map(({ label }) => label))].join(', '),
    edges: [...new Set(group.flatMap(({ edges }) => edges))],
  }))
}

/** An arrow for tools that lay out nested boxes. */
export interface Connection extends Arrow {
  /** It starts at the mark `any` inside `source`. */
  readonly loose: boolean
  /** The innermost box around both ends; `undefined`: the machine itself. */
  readonly within: string | undefined
}

/**
 * Layout tools cannot draw an arrow from a box into itself: such an arrow starts at a mark `any` inside the box. An arrow from
 * inside a box to the box ends at its initial state. `looseBoxes` need a mark.
 */
export function connectionsOf(outline: Outline) {
  const { root, leavesIn, entered, around } = outline
  const isParallel = new Set(idsIn(outline.boxes, 'parallel'))
  const connections = outline.arrows.map((arrow): Connection => {
    const { source, target } = arrow
    const isInside = source === target || around(target).includes(source)
    const loose = source === root || (leavesIn(source)[0] !== source && isInside)
    const isInwards = source === target || around(source).includes(target)
    const end = isInwards ? (entered(target)[0] ?? target) : target
    const boxes = loose && source !== root ? [source, ...around(source)] : around(source)
    const outer = around(end)
    // Regions are drawn apart: an arrow between two of them lies outside their parallel state.
    const within = boxes.find(box => outer.includes(box) && !isParallel.has(box))
    return { ...arrow, target: end, loose, within }
  })
  const looseBoxes = connections.flatMap(({ loose, source }) => (loose ? source : []))
  return { connections, looseBoxes }
}

/** The states of a kind, at any depth. */
export function idsIn(boxes: readonly Box[], kind: ChartState['kind']): readonly string[] {
  return boxes.flatMap(({ state: { id, kind: own }, inner }) => {
    return [...(own === kind ? [id] : []), ...idsIn(inner, kind)]
  })
}

export const indent = (depth: number, text: string): string => `${'  '.repeat(depth)}${text}`
