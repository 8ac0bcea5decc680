/** A chart as every drawing needs it: states inside their states, edges of the same way joined to one arrow, names made short. */
import type { Chart, ChartEdge, ChartState } from '../chart.ts'

export interface Outline {
  readonly id: string
  /** Stands for the machine itself, as the source of its own arrows: its id, or something else where a state is called so. */
  readonly root: string
  /** The state the machine starts in; `undefined`: in several at once. */
  readonly initial: string | undefined
  readonly boxes: readonly Box[]
  readonly arrows: readonly Arrow[]
  /** The shortest name that tells a state from all others. */
  nameOf(id: string): string
  /** The states without children inside this one; itself, if it has none. */
  leavesIn(id: string): readonly string[]
  /** The states without children that are entered by entering this one. */
  entered(id: string): readonly string[]
  parentOf(id: string): string | undefined
}

export interface Box {
  readonly state: ChartState
  readonly inner: readonly Box[]
}

export interface Arrow {
  readonly source: string
  readonly target: string
  readonly label: string
  readonly style: ChartEdge['kind']
  /** It leads to any state inside the target, as somebody chooses. */
  readonly any: boolean
  /** It is taken when all inside its source has ended. */
  readonly whenDone: boolean
}

/** How it goes, how it fails, how it is let out: the order in which the arrows of a state are drawn. */
const STYLES: readonly Arrow['style'][] = ['outcome', 'failure', 'escape']

export function outlineOf(whole: Chart): Outline {
  const chart = withoutUnusedEscapes(whole)
  const { id } = chart
  const states = new Map(chart.states.map(state => [state.id, state]))
  const root = states.has(id) ? ROOT : id
  const initial = states.has(chart.initial) ? chart.initial : undefined
  const children = Map.groupBy(chart.states, ({ parent = root }) => parent)
  const childrenOf = (state: string) => (children.get(state) ?? []).map(({ id }) => id)
  const leavesIn = (state: string): readonly string[] => {
    const inner = childrenOf(state)
    return inner.length === 0 ? [state] : inner.flatMap(leavesIn)
  }
  const entered = (state: string): readonly string[] => {
    const first = state === root ? initial : states.get(state)?.initial
    const inner = childrenOf(state)
    return first !== undefined
      ? entered(first)
      : inner.length === 0
        ? [state]
        : inner.flatMap(entered)
  }
  return {
    id,
    root,
    initial,
    boxes: boxesIn(chart, undefined),
    arrows: mergeArrows(mergeChoices(chart, leavesIn)).toSorted(
      (a, b) => STYLES.indexOf(a.style) - STYLES.indexOf(b.style),
    ),
    nameOf: namesOf(chart),
    leavesIn,
    entered,
    parentOf: state => states.get(state)?.parent,
  }
}

const ROOT = '(machine)'

/** Without the escapes the policy takes from nowhere, and without the review where there is nobody to ask. */
function withoutUnusedEscapes(chart: Chart): Chart {
  const edges = chart.edges.filter(({ from }) => from === undefined || from.length > 0)
  const led = new Set(edges.map(({ target }) => target))
  const idle = new Set(
    chart.edges.flatMap(({ rung, target }) =>
      rung === 'review' && !led.has(target) ? [target] : [],
    ),
  )
  return {
    ...chart,
    states: chart.states.filter(({ id }) => !idle.has(id)),
    edges: edges.filter(({ source }) => !idle.has(source)),
  }
}

/** The states around a state, outermost last. */
export function enclosingStates(
  { parentOf }: Pick<Outline, 'parentOf'>,
  id: string,
): readonly string[] {
  const parent = parentOf(id)
  return parent === undefined ? [] : [parent, ...enclosingStates({ parentOf }, parent)]
}

function boxesIn(chart: Chart, parent: string | undefined): readonly Box[] {
  return chart.states
    .filter(state => state.parent === parent)
    .map(state => ({ state, inner: boxesIn(chart, state.id) }))
}

/** A state's own key, and as many keys of the states around it as it takes to tell it from all others. */
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

/** Edges by which somebody chooses among all states of a compound one (as the answer to a review does) are one arrow to it. */
function mergeChoices(chart: Chart, leavesIn: Outline['leavesIn']): readonly Arrow[] {
  const unchosen = new Set(chart.states.filter(isNotSelectable).map(({ id }) => id))
  const compounds = chart.states
    .filter(({ kind }) => kind === 'compound')
    .map(({ id }) => ({ id, leaves: leavesIn(id).filter(leaf => !unchosen.has(leaf)) }))
  const groups = Map.groupBy(
    chart.edges,
    ({ source, event, rung = '' }) => `${source} ${event} ${rung}`,
  )
  return [...groups.values()].flatMap(edges => {
    const targets = new Set(edges.map(({ target }) => target))
    const source = edges[0]?.source ?? ''
    const all = compounds.find(
      ({ id, leaves }) =>
        id !== source &&
        leaves.length > 1 &&
        !leavesIn(id).includes(source) &&
        leaves.every(leaf => targets.has(leaf)),
    )
    if (!all) return edges.flatMap(arrowsOf)
    const others = edges.filter(({ target }) => !all.leaves.includes(target))
    return [
      ...edges
        .slice(0, 1)
        .flatMap(arrowsOf)
        .map(arrow => ({ ...arrow, target: all.id, any: true })),
      ...others.flatMap(arrowsOf),
    ]
  })
}

/** What nobody can choose to go on with: an end, and the question about an escape itself. */
function isNotSelectable({ kind, effects }: ChartState): boolean {
  return (
    kind === 'final' || effects.some(({ type, node }) => type === 'interrupt' && node === 'review')
  )
}

function arrowsOf({
  source,
  target,
  event,
  kind,
  rung,
  from,
  whenDone,
}: ChartEdge): readonly Arrow[] {
  if (kind !== 'escape')
    return [{ source, target, label: event, style: kind, any: false, whenDone: whenDone === true }]
  const label = rung === undefined ? 'escape' : `escape ${rung}`
  if (from === undefined)
    return [{ source, target, label, style: kind, any: false, whenDone: whenDone === true }]
  return [...Map.groupBy(from, ({ state }) => state)].map(([state, ways]) => {
    const kinds = ways.flatMap(({ on }) => on ?? [])
    // A way that may be taken whatever has been found needs no list of what may have been.
    return {
      source: state,
      target,
      label: kinds.length < ways.length ? label : `${label} on ${kinds.join(', ')}`,
      style: kind,
      any: false,
      whenDone: whenDone === true,
    }
  })
}

function mergeArrows(arrows: readonly Arrow[]): readonly Arrow[] {
  const alike = Map.groupBy(
    arrows,
    ({ source, target, style, any, whenDone }) => `${source} ${style} ${target} ${any} ${whenDone}`,
  )
  return [...alike.values()].map(([first, ...others]) => ({
    ...(first as Arrow),
    label: [...new Set([first as Arrow, ...others].map(({ label }) => label))].join(', '),
  }))
}
