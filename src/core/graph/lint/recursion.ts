/** Lint: graphs that run themselves, by themselves or by way of others. */
import type { Remark } from './finding.ts'
import { type Flow, reachedFrom } from './flow.ts'

const RULE = 'unbounded-recursion'

/** `again` names the graphs by which this one is run again, in the end. */
export function unboundedRecursion(flow: Flow, again: ReadonlySet<string>): Remark[] {
  const { spec, working } = flow
  const recursing = new Map(
    [...working].flatMap(([name, node]) =>
      'graph' in node && again.has(node.graph) ? [[name, node.graph] as const] : [],
    ),
  )
  const [first] = recursing
  if (!first) return []
  const unbounded: Remark[] =
    spec.limits.depth === undefined
      ? [...new Set(recursing.values())].map(graph => ({
          rule: RULE,
          severity: 'error',
          path: `graphs.${graph}`,
          message: `'${graph}' leads back to this graph, and nothing says how often: give limits.depth`,
        }))
      : []
  return canEndWithout(flow, new Set(recursing.keys()))
    ? unbounded
    : [
        ...unbounded,
        {
          rule: RULE,
          severity: 'error',
          path: flow.placed(first[0]),
          message: `every way to a final node leads by '${first[0]}', which runs this graph again: name an edge for \`error\` or \`loop\` there, or another way round it`,
        },
      ]
}

/** Whether a run can come to an end although nothing that runs this graph again ever succeeds. */
function canEndWithout(flow: Flow, recursing: ReadonlySet<string>): boolean {
  const { spec, finals } = flow
  const reached = reachedFrom(
    flow,
    spec.start === undefined ? [] : [spec.start],
    ({ source, kind }) => kind !== 'idle' && !(kind === 'outcome' && recursing.has(source)),
  )
  return [...finals].some(name => reached.has(name))
}
