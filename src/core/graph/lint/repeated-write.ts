/** Lint: irreversible writes that may be repeated. */
import { defined } from '../../watch/data/json.ts'
import type { Policy } from '../../watch/policy/policy.ts'
import type { ToolSpec } from '../spec/resource.ts'
import type { Flow, FlowEdge, Passable, Remark } from './flow.ts'
import { actsBlindly, cyclesOf, error, isRun, reaching, toolOf, warning } from './flow.ts'
import { memoized } from './memoized.ts'

export function irreversibleToolRetried(flow: Flow): Remark[] {
  // The code of a tool says what its spec leaves out.
  const irreversible = new Map(
    Object.entries(flow.spec.tools).filter(([name, declared]) => {
      const { tools } = flow.code
      const { effects, idempotent } = (Object.hasOwn(tools, name) && tools[name]) || declared
      return effects === 'write' && idempotent !== true
    }),
  )
  return [
    ...[...irreversible].flatMap(([name, tool]) => retriedWrites(name, tool, flow.policy)),
    ...repeatedWrites(flow, name => irreversible.has(name)),
  ]
}

function retriedWrites(name: string, { retry }: ToolSpec, policy: Policy): Remark[] {
  const { attempts, on } = { ...policy.retry, ...defined(retry ?? {}) }
  if (attempts <= 1 || on.length === 0) return []
  const text = (why: string) =>
    `'${name}' writes and is not idempotent, and ${why}: set \`idempotent: true\` if a repetition with the same key changes nothing more, else \`retry: 0\``
  return retry?.attempts === undefined
    ? [warning(`tools.${name}`, text("the graph's retry repeats it after failures without effect"))]
    : [error(`tools.${name}.retry`, text('its `retry` repeats it'))]
}

/** Outcomes after which the write has happened, or may have. */
const AFTER_WRITE = /^(error|timeout|loop|stall)\b/

function repeatedWrites(flow: Flow, isIrreversible: (tool: string) => boolean): Remark[] {
  const after = flow.edges.flatMap(edge => {
    const tool = toolOf(flow.working.get(edge.source)) ?? ''
    const isAfterWrite = edge.kind !== 'idle' && AFTER_WRITE.test(edge.outcome)
    return isAfterWrite && isIrreversible(tool) ? [{ edge, tool }] : []
  })
  if (after.length === 0) return []
  const returnsBlindly = returning(flow, edge => isRun(edge) && actsBlindly(flow, edge.source))
  const returns = returning(flow, isRun)
  return after.flatMap(({ edge, tool }) => {
    const { source, outcome, path } = edge
    const text = (how: string) =>
      `after \`${outcome}\` this edge leads back to '${source}', ${how}, and '${tool}' writes and is not idempotent: lead it to a node that checks or asks a person, or set \`idempotent: true\``
    if (returnsBlindly(edge))
      return [error(path, text('without a node between that checks whether it has happened'))]
    return returns(edge) ? [warning(path, text('where the write may be repeated'))] : []
  })
}

/** Whether passable edges lead from the target of an edge back to its source. */
function returning(flow: Flow, passable: Passable): (edge: FlowEdge) => boolean {
  const cycles = cyclesOf(flow, passable)
  const cycleOf = new Map(cycles.flatMap(names => names.map(name => [name, names] as const)))
  const before = memoized((name: string) => reaching(flow, [name], passable))
  return edge => {
    const { source, target } = edge
    const cycle = cycleOf.get(source)
    if (cycle && cycle === cycleOf.get(target)) return true
    // A passable edge that leads back is in a cycle. Only the others take a walk.
    return !passable(edge) && before(source).has(target)
  }
}
