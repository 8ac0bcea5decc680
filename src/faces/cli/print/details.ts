/** Sections that only `show` prints: the parent and children of a thread, its retries, its state and channels. */
import { originOf } from '../../../core/fork.ts'
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import type { Log } from '../../../core/graph/log.ts'
import type { Row, Run } from '../../../core/run.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import type { LedgerLine } from '../../../core/watch/retries.ts'
import { countText } from './amounts.ts'
import { type Blocks, dim } from './layout.ts'
import { jsonText } from './line.ts'
import { membersSection, section } from './report.ts'

/** Children that are listed. The others are counted. */
const CHILDREN_MAX = 20

export function familyBlocks(run: Run, rows: readonly Row[]): Blocks {
  const { parent } = run
  const item = parent?.item ? `, for item ${parent.item.index + 1} of ${parent.item.of}` : ''
  const children = childrenIn(run, rows)
  const more = children.length - CHILDREN_MAX
  const succeeded = children.filter(({ outcome }) => outcome === 'success').length
  const rest = dim(`${more} more; ${succeeded} of all ${children.length} succeeded`)
  return [
    ...section('parent', parent ? [[`${parent.thread}, event ${parent.seq}${item}`]] : []),
    ...section('children', [
      ...children.slice(0, CHILDREN_MAX).map(child => [childText(child)]),
      ...(more > 0 ? [[rest]] : []),
    ]),
  ]
}

function childText({ thread, graph, outcome, reason, of }: Child): string {
  if (outcome !== null) return `${thread} (${graph}) ${outcome}: ${reason}`
  const status = of === null ? 'has not ended' : `belongs to ${of}, and continues there`
  return `${thread} (${graph}) ${status}`
}

/** `outcome` and `reason` are null until the parent records the end of the child. */
interface Child {
  readonly thread: string
  readonly graph: string
  readonly seq: number
  readonly outcome: string | null
  readonly reason: string | null
  /** In a fork, the other thread that started the child. Null if this thread started it. */
  readonly of: string | null
}

/** The children of a thread, in the order of their starts. */
export function childrenIn(run: Run, rows: readonly Row[]): readonly Child[] {
  const ends = new Map(
    rows.flatMap(({ event }) =>
      event.type === 'child.done' ? [[event.thread, event] as const] : [],
    ),
  )
  return rows.flatMap(({ seq, event }) => {
    if (event.type !== 'child.started') return []
    const { thread, subject: graph } = event
    const { outcome = null, reason = null } = ends.get(thread) ?? {}
    return [{ thread, graph, seq, outcome, reason, of: originOf(run, seq) ?? null }]
  })
}

/** One line for each tool and model that was called more than once for the same call. */
export function retriesBlocks(ledger: readonly LedgerLine[]): Blocks {
  return section(
    'retries',
    ledger.flatMap(({ dependency, calls, attempts, sdk, runtime, model }) => {
      if (attempts <= calls && model === 0) return []
      const by = { 'its SDK': sdk, 'the runtime': runtime, 'the model': model }
      const retries = Object.entries(by).flatMap(([who, times]) =>
        times > 0 ? [`${times} by ${who}`] : [],
      )
      const counts = `${countText(attempts, 'attempt')}, ${countText(calls, 'call')}`
      return [[`${dependency} ${counts}; retried ${retries.join(', ')}`]]
    }),
  )
}

/** Characters of the value of a channel. */
const VALUE_CHARACTERS_MAX = 200

/** The state and the channels. Of a log only its length: the journal has its items. */
export function contextBlocks({ logs }: AgentMachine, { snapshot }: Run): Blocks {
  const channels = Object.entries(snapshot.context).map(([name, value]) => [
    name,
    logs.has(name) ? { items: (value as unknown as Log).length } : value,
  ])
  const state = typeof snapshot.value === 'string' ? snapshot.value : jsonText(snapshot.value)
  const context = Object.fromEntries(channels) as Json
  return [
    ...section('state', [[state]]),
    ...membersSection('context', context, VALUE_CHARACTERS_MAX),
  ]
}
