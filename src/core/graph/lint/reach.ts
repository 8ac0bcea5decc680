/** Lint: nodes without a path from the start, nodes without a path onward, and graphs that run themselves without end. */
import type { WorkingNode } from '../spec/node.ts'
import { targetsOf } from '../spec/nodes.ts'
import { error, type Flow, reachedFrom, type Remark, warning } from './flow.ts'

export function unreachable(flow: Flow): Remark[] {
  const { spec, working, review, paths } = flow
  const reached = reachedFrom(flow, [spec.start ?? []].flat(), () => true)
  // A person who answers a review may send the thread to any node that works.
  const byPerson = review ? reachedFrom(flow, working.keys(), () => true) : reached
  const remedy = 'name it as the target of an edge, or remove it'
  return [...paths]
    .filter(([name]) => !reached.has(name))
    .map(([name, path]) =>
      byPerson.has(name)
        ? warning(path, `only a person who answers a review reaches '${name}': ${remedy}`)
        : error(path, `'${name}' is not reachable from the start: ${remedy}`),
    )
}

/** `cycle-without-exit` covers nodes that lead on without reaching an end. */
export function deadEnd(flow: Flow): Remark[] {
  return [...flow.working]
    .filter(([name]) => !leadsOn(flow, name))
    .map(([name, node]) => error(`${flow.paths.get(name)}.on`, deadEndText(name, node)))
}

function leadsOn({ from }: Flow, name: string): boolean {
  return from(name).some(
    ({ kind, outcome }) =>
      kind === 'outcome' && (outcome.startsWith('done') || outcome === 'human.approved'),
  )
}

function deadEndText(name: string, node: WorkingNode): string {
  const isHuman = node.use === 'human'
  const outcome = isHuman ? 'human.approved' : 'done'
  const why = isHuman && 'done' in targetsOf(node) ? ' (a human node never ends with `done`)' : ''
  return `'${name}' has no edge for success${why}: name an edge for \`${outcome}\`, or make the node \`final\``
}

/** Graphs that run themselves, directly or through others. */
export function unboundedRecursion(flow: Flow): Remark[] {
  const { spec, working, recursive, finals, paths } = flow
  const recursing = new Map(
    [...working].flatMap(([name, node]) =>
      'graph' in node && recursive.has(node.graph) ? [[name, node.graph] as const] : [],
    ),
  )
  const [first] = recursing.keys()
  if (first === undefined) return []
  const unlimited = spec.limits.depth === undefined ? new Set(recursing.values()) : []
  // Nodes that a run reaches although nothing that runs this graph again succeeds.
  const reached = reachedFrom(
    flow,
    [spec.start ?? []].flat(),
    ({ source, kind }) => kind !== 'idle' && !(kind === 'outcome' && recursing.has(source)),
  )
  const isForced = ![...finals].some(name => reached.has(name))
  const forced = `every path to a final node passes '${first}', which runs this graph again: name an edge for \`error\` or \`loop\` there, or a path around it`
  return [
    ...[...unlimited].map(graph => {
      const message = `'${graph}' runs this graph again without a limit on depth: set limits.depth`
      return error(`graphs.${graph}`, message)
    }),
    ...(isForced ? [error(paths.get(first) ?? '', forced)] : []),
  ]
}
