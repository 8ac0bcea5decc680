/** Lint: writes that must not be repeated, and are. */
import type { Policy } from '../../watch/policy/policy.ts'
import type { ToolSpec } from '../spec/resource.ts'
import type { Remark } from './finding.ts'
import { type Flow, type FlowEdge, actsBlindly, reachedFrom, isRun, toolOf } from './flow.ts'

const RULE = 'irreversible-tool-on-retried-edge'

export function irreversibleToolRetried(flow: Flow): Remark[] {
  const irreversible = new Map(
    Object.entries(flow.spec.tools).filter(
      ([, { effects, idempotent }]) => effects === 'write' && idempotent !== true,
    ),
  )
  return [
    ...[...irreversible].flatMap(([name, tool]) => retriedWrites(name, tool, flow.policy)),
    ...flow.edges
      .filter(edge => repeatedWrites(edge, flow, irreversible))
      .flatMap(edge => edgesBackTo(edge, flow)),
  ]
}

function retriedWrites(name: string, { retry }: ToolSpec, policy: Policy): Remark[] {
  const { attempts, on } = { ...policy.retry, ...withoutAbsent(retry ?? {}) }
  if (attempts <= 1 || on.length === 0) return []
  const own = retry?.attempts !== undefined
  const why = own
    ? 'its own `retry` repeats it'
    : "the graph's retry repeats it wherever the failure is known to have had no effect"
  return [
    {
      rule: RULE,
      severity: own ? 'error' : 'warning',
      path: own ? `tools.${name}.retry` : `tools.${name}`,
      message: `'${name}' writes and is not idempotent, and ${why}: set \`idempotent: true\` if a repetition with the same key changes nothing more, else \`retry: 0\``,
    },
  ]
}

function withoutAbsent(retry: NonNullable<ToolSpec['retry']>): Partial<Policy['retry']> {
  return Object.fromEntries(Object.entries(retry).filter(([, value]) => value !== undefined))
}

/** Edges after which nobody knows, or it is known, that the write has happened. */
const AFTER_WRITE = /^(error|timeout|loop|stall)\b/

function repeatedWrites(
  { source, outcome, kind }: FlowEdge,
  { working }: Flow,
  irreversible: ReadonlyMap<string, ToolSpec>,
): boolean {
  return (
    kind !== 'idle' &&
    AFTER_WRITE.test(outcome) &&
    irreversible.has(toolOf(working.get(source)) ?? '')
  )
}

function edgesBackTo({ source, target, outcome, path }: FlowEdge, flow: Flow): Remark[] {
  const tool = toolOf(flow.working.get(source))
  const blindly = reachedFrom(
    flow,
    [target],
    edge => isRun(edge) && actsBlindly(flow, edge.source),
  ).has(source)
  if (!blindly && !reachedFrom(flow, [target], isRun).has(source)) return []
  const between = blindly
    ? 'with nothing in between that looks whether it has happened'
    : 'where it may be made again'
  return [
    {
      rule: RULE,
      severity: blindly ? 'error' : 'warning',
      path,
      message: `after \`${outcome}\` this edge leads back to '${source}', ${between}, and '${tool}' writes and is not idempotent: lead it to a node that checks or asks a person, or set \`idempotent: true\``,
    },
  ]
}
