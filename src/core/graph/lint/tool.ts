/** Lint: irreversible writes that may be repeated. */
import { defined } from '../../watch/data/defined.ts'
import type { Policy } from '../../watch/policy/policy.ts'
import type { ToolSpec } from '../spec/resource.ts'
import {
  actsBlindly,
  error,
  type Flow,
  isRun,
  reachedFrom,
  type Remark,
  toolOf,
  warning,
} from './flow.ts'

export function irreversibleToolRetried(flow: Flow): Remark[] {
  const irreversible = new Map(
    Object.entries(flow.spec.tools).filter(
      ([, { effects, idempotent }]) => effects === 'write' && idempotent !== true,
    ),
  )
  return [
    ...[...irreversible].flatMap(([name, tool]) => retriedWrites(name, tool, flow.policy)),
    ...flow.edges.flatMap(edge => {
      const tool = toolOf(flow.working.get(edge.source)) ?? ''
      const isAfterWrite = edge.kind !== 'idle' && AFTER_WRITE.test(edge.outcome)
      return isAfterWrite && irreversible.has(tool) ? repeatedWrites(edge, tool, flow) : []
    }),
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

function repeatedWrites(edge: Flow['edges'][number], tool: string, flow: Flow): Remark[] {
  const { source, target, outcome, path } = edge
  const text = (how: string) =>
    `after \`${outcome}\` this edge leads back to '${source}', ${how}, and '${tool}' writes and is not idempotent: lead it to a node that checks or asks a person, or set \`idempotent: true\``
  const isBlind = (name: string) => actsBlindly(flow, name)
  if (reachedFrom(flow, [target], next => isRun(next) && isBlind(next.source)).has(source))
    return [error(path, text('without a node between that checks whether it has happened'))]
  return reachedFrom(flow, [target], isRun).has(source)
    ? [warning(path, text('where the write may be repeated'))]
    : []
}
