/** Nodes that stand side by side, as states: inside `working`, with one arrow `escape` for all of them; beside it their review and their ends. */
import { or, stateIn } from 'xstate'
import { isFindingEdge, outcomeEdges } from '../edges.ts'
import type { WorkingNode } from '../spec/node.ts'
import { channelsWrittenBy } from '../spec/name-faults.ts'
import { type Area, isRegions, regionsOf, type RegionsNode } from '../spec/region.ts'
import { isFinal, type Spec } from '../spec/spec.ts'
import type { StateConfig } from './config.ts'
import { escapeEdges, reviewId } from './escape.ts'

const WRITE = { type: 'write' }

type Node = Area['nodes'][string]

interface AreaConfig {
  readonly initial: 'working'
  readonly states: { readonly working: StateConfig; readonly review: StateConfig } & Readonly<
    Record<string, StateConfig>
  >
}

/** `choices`: the nodes that whoever answers the review may go on with. */
export function areaConfig(
  spec: Spec,
  area: Area,
  choices: readonly (readonly [name: string, node: WorkingNode])[],
): AreaConfig {
  const nodes = Object.entries(area.nodes)
  const working = nodes.filter(([, node]) => !isFinal(node))
  const finals = nodes.filter(([, node]) => isFinal(node))
  const whole = area.region === ''
  return {
    initial: 'working',
    states: {
      working: {
        ...(area.start === undefined ? {} : { initial: area.start }),
        on: { escape: escapeEdges(spec, area), ...(whole ? { cancelled: '#cancelled' } : {}) },
        states: Object.fromEntries(
          working.map(([name, node]) => [name, stateOf(spec, name, node)]),
        ),
      },
      review: reviewOf(
        spec,
        area,
        choices.map(([name]) => name),
      ),
      ...Object.fromEntries(finals.map(([name]) => [name, { id: name, type: 'final' as const }])),
    },
  }
}

/** In a region, an end of the whole leads out by the arrows around all regions. */
function reviewOf(spec: Spec, area: Area, names: readonly string[]): StateConfig {
  const chosen = names.map(name => ({
    guard: { type: 'to', params: { to: name } },
    target: `#${name}`,
  }))
  return {
    id: reviewId(area),
    entry: { type: 'interrupt', params: { node: 'review' } },
    on: {
      'human.approved': chosen,
      'human.rejected': '#stopped',
      'human.expired': [...chosen, { target: '#stopped' }],
      // A person may choose the way out.
      escape: escapeEdges(spec, area).filter(({ guard }) => guard.params.rung !== 'review'),
      ...(area.region === '' ? { cancelled: '#cancelled' } : {}),
    },
  }
}

function stateOf(spec: Spec, name: string, node: Node): StateConfig {
  if (isRegions(node)) return parallelOf(spec, name, node)
  if (isFinal(node)) return { id: name, type: 'final' }
  const edges = outcomeEdges(node).filter(([outcome]) => !isFindingEdge(outcome))
  return {
    id: name,
    tags: node.phase ? ['phase'] : [],
    entry:
      node.use === 'human'
        ? { type: 'interrupt', params: { node: name } }
        : { type: 'invoke', params: { node: name } },
    on: Object.fromEntries(
      edges.map(([outcome, target]) => [
        outcome === 'error' ? 'error.*' : outcome,
        {
          target: `#${target}`,
          reenter: true,
          ...(writes(outcome, node) ? { actions: WRITE } : {}),
        },
      ]),
    ),
  }
}

function writes(outcome: string, node: WorkingNode): boolean {
  return (
    (outcome.startsWith('done') || outcome.startsWith('human.')) &&
    channelsWrittenBy(node.out).length > 0
  )
}

/** Every region is an area of its own; when the last has ended, it shows whether one of them has failed. */
function parallelOf(spec: Spec, name: string, node: RegionsNode): StateConfig {
  const areas = regionsOf(name, node)
  const failures = areas.flatMap(({ nodes }) =>
    Object.entries(nodes).filter(([, inner]) => isFinal(inner) && inner.final === 'failure'),
  )
  const { done, 'done.failed': failed, cancelled } = node.on
  return {
    id: name,
    type: 'parallel',
    states: Object.fromEntries(
      areas.map(area => [
        area.region.slice(name.length + 1),
        { id: area.region, ...areaConfig(spec, area, workingIn(area)) },
      ]),
    ),
    onDone: [
      ...(failed === undefined || failures.length === 0
        ? []
        : [
            {
              guard: or(failures.map(([end]) => stateIn(`#${end}`))),
              target: `#${failed}`,
              meta: { outcome: 'done.failed' },
            },
          ]),
      { target: `#${done}`, meta: { outcome: 'done' } },
    ],
    ...(cancelled === undefined ? {} : { on: { cancelled: `#${cancelled}` } }),
  }
}

function workingIn({ nodes }: Area): readonly (readonly [string, WorkingNode])[] {
  return Object.entries(nodes).filter(
    (entry): entry is [string, WorkingNode] => !isFinal(entry[1]) && !isRegions(entry[1]),
  )
}
