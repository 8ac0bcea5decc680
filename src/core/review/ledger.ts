/** The ledger of a thread: its external effects, and their outcomes. */
import { leftRegion } from '../escape-routes.ts'
import { callOfQuestion } from '../run/question-id.ts'
import type { Row } from '../run/run.ts'
import { truncate } from '../watch/data/fault.ts'
import { canonical } from '../watch/data/json.ts'
import type { CallEvent } from '../watch/event/call-event.ts'
import type { EventOf, Stamped } from '../watch/event/event.ts'
import { type Failure, failureReason } from '../watch/failure/failure.ts'
import { isRefusal } from '../watch/failure/doubt.ts'
import type { Reason } from '../watch/reason/reason.ts'

/**
 * - `reversible`: took effect; according to its tool, a later ordinary call reverts it
 * - `compensable`: took effect; its tool can compensate it and has not
 * - `irreversible`: took effect; the thread cannot revert it
 * - `indeterminate`: the outcome of the write or of its compensation is unknown or still pending
 * - `late`: took effect after the thread had given up on the call and continued without it
 * - `compensated`: took effect and was compensated
 */
export type EffectKind =
  | 'reversible'
  | 'compensable'
  | 'irreversible'
  | 'indeterminate'
  | 'late'
  | 'compensated'

/** One call that wrote, or may have written. Reads and writes that certainly failed are not effects. */
export interface ExternalEffect {
  readonly call: string
  readonly tool: string
  /** Canonical JSON, truncated. */
  readonly args: string
  /** The event that determined the kind, and its time in ms. */
  readonly seq: number
  readonly at: number
  readonly kind: EffectKind
  readonly became: Reason
}

/** `none`: the write certainly had no effect. */
type Kind = EffectKind | 'none'

interface Write extends Omit<ExternalEffect, 'kind'> {
  readonly kind: Kind
  /** The effect of its latest attempt, or of the latest attempt to compensate it. */
  readonly effect: string
  readonly reversible: boolean
  readonly compensable: boolean
  /** The outcome of an attempt is unknown. */
  readonly doubt: boolean
  /** Its node waits for the outcome. */
  readonly awaited: boolean
  /** The kind before its compensation started, and whether the outcome of a compensation attempt is unknown. */
  readonly undoing?: { readonly kind: Kind; readonly doubt: boolean }
}

const ARGS_MAX = 120

/**
 * The external effects of a thread so far, in the order of their first attempts. Reads all rows once.
 * @example const writes = effectsOf(await store.rows('ticket-42'))
 */
export function effectsOf(rows: readonly Row[]): readonly ExternalEffect[] {
  const writes = new Map<string, Write>()
  const pending = new Set<string>()
  const set = (write: Write) => {
    writes.set(write.call, write)
    if (isPending(write)) pending.add(write.call)
    else pending.delete(write.call)
  }
  for (const row of rows) {
    const { seq, event } = row
    // The rows before a fork belong to its parent.
    if (event.type === 'forked') {
      writes.clear()
      pending.clear()
    } else if ((event.type === 'resume' || 'call' in event) && !isUnsent(row)) {
      const write = writeAfter(writes, seq, event)
      if (write) set(write)
    }
    for (const call of pending) {
      const write = interrupted(writes.get(call) as Write, row)
      if (write) set(write)
    }
  }
  return [...writes.values()].flatMap(({ call, tool, args, seq, at, became, kind }) =>
    kind === 'none' ? [] : [{ call, tool, args, seq, at, became, kind }],
  )
}

/** Whether the attempt that the row announces was not made: its node, or the thread, ends at this row. */
function isUnsent({ event, edges, verdict, ended }: Row): boolean {
  if (event.type !== 'tool.called') return false
  if (ended || verdict.kind !== 'escape') return ended !== undefined
  const { route, because } = verdict
  const [finding] = because
  const region = finding ? leftRegion(finding) : ''
  const isLeft = route.rung === 'rollback' || edges.length > 0
  return isLeft && (region === '' || region === event.region)
}

const isPending = ({ became: { code } }: Write): boolean =>
  code === 'effect-pending' || code === 'undo-pending'

/**
 * A pending write after a row that ends its attempt without an answer: its effect starts again, because the process that performed it has
 * ended, or its node or the thread ends. Its answer may still arrive late.
 */
function interrupted(write: Write, { seq, event, ended }: Row): Write | undefined {
  const ofEffect = 'effect' in event && event.effect === write.effect
  const again = ofEffect && event.type === 'turn.started'
  const isLeft = ofEffect && (event.type === 'node.done' || event.type === 'node.failed')
  if (!again && !isLeft && !ended) return undefined
  const cause: Reason = { code: 'process-ended', params: { call: write.tool } }
  const code = write.undoing ? 'undo-unknown' : 'effect-unknown'
  const became: Reason = { code, ...(again && { cause }) }
  const left = { ...write, seq, at: event.at, became }
  return write.undoing
    ? { ...left, undoing: { ...write.undoing, doubt: true } }
    : { ...left, doubt: true }
}

type Writes = ReadonlyMap<string, Write>
type Call = Stamped<CallEvent>
type Started = Extract<Call, { type: 'tool.called' }>
type WriteEvent = Extract<Stamped, { type: 'resume' } | { call: string }>

/** The write that an event changes or starts. Returns `undefined` if it concerns no write. */
function writeAfter(writes: Writes, seq: number, event: WriteEvent): Write | undefined {
  if (event.type === 'resume') {
    const { effect, decision, at } = event
    const write = writes.get(callOfQuestion(effect) ?? '')
    if (!write || (decision !== 'applied' && decision !== 'not-applied')) return undefined
    return reconciled({ ...write, seq, at }, decision === 'applied', 'person')
  }
  if (!('subject' in event) || 'recorded' in event) return undefined
  const call = event as Call
  if (!('compensates' in call) || call.compensates === undefined)
    return afterCall(writes.get(call.call), seq, call)
  const write = writes.get(call.compensates)
  // A compensated write stays compensated, whatever a further attempt returns.
  return write && write.kind !== 'compensated' ? afterCompensation(write, seq, call) : undefined
}

function afterCall(known: Write | undefined, seq: number, event: Call): Write | undefined {
  const { at } = event
  if (event.type === 'tool.called' && event.effects === 'write')
    return startedWrite(seq, event, known?.doubt)
  if (!known || event.type === 'tool.called') return undefined
  const write = { ...known, seq, at }
  switch (event.type) {
    case 'tool.done':
      return { ...write, kind: doneKind(write), became: { code: 'effect-applied' } }
    case 'tool.failed': {
      // A tool or a person has said that the attempt had no effect, and the call fails.
      if (write.kind === 'none') return known
      const { failure } = event
      const awaited = !event.final || failure.class === 'indeterminate'
      const doubt = write.doubt || !isRefusal(failure)
      return doubt
        ? { ...write, awaited, doubt, ...unknown('effect-unknown', failure) }
        : { ...write, awaited, ...NO_EFFECT }
    }
    case 'call.late':
      if (!event.ok) return known
      return write.awaited
        ? reconciled(write, true, 'late')
        : { ...write, kind: 'late', became: { code: 'effect-late' } }
    case 'call.reconciled':
      return event.answer === 'unknown'
        ? known
        : reconciled(write, event.answer === 'applied', event.by)
    default:
      return known
  }
}

function startedWrite(seq: number, event: Started, doubt = false): Write {
  return {
    call: event.call,
    tool: event.subject,
    effect: event.effect,
    args: truncate(canonical(event.args), ARGS_MAX),
    reversible: event.reversible === true,
    compensable: event.compensable === true,
    doubt,
    awaited: true,
    seq,
    at: event.at,
    kind: 'indeterminate',
    became: { code: 'effect-pending' },
  }
}

/** The write after an event of the call that compensates it. */
function afterCompensation(known: Write, seq: number, event: Call): Write {
  const { undoing = { kind: known.kind, doubt: false } } = known
  const write = { ...known, undoing, seq, at: event.at }
  const params = { id: event.call }
  switch (event.type) {
    case 'tool.called':
      return {
        ...{ ...write, effect: event.effect, kind: 'indeterminate' },
        became: { code: 'undo-pending', params },
      }
    case 'tool.done':
    case 'call.late':
      if (event.type === 'call.late' && !event.ok) return known
      return { ...write, kind: 'compensated', became: { code: 'undone', params } }
    case 'tool.failed': {
      const { failure, final } = event
      const doubt = undoing.doubt || !isRefusal(failure)
      const failed = { ...write, undoing: { ...undoing, doubt } }
      if (doubt) return { ...failed, ...unknown('undo-unknown', failure) }
      if (!final) return failed
      const became: Reason = { code: 'undo-failed', cause: failureReason(failure) }
      return { ...failed, kind: undoing.kind, became }
    }
    default:
      return known
  }
}

type Witness = EventOf<'call.reconciled'>['by'] | 'late'

const NO_EFFECT = { kind: 'none', became: { code: 'no-effect' } } as const

const unknown = (code: 'effect-unknown' | 'undo-unknown', failure: Failure) =>
  ({ kind: 'indeterminate', became: { code, cause: failureReason(failure) } }) as const

/** Resolves the doubt about a write. `by` is the source: its tool, a person, the parent of the fork, or its own late answer. */
function reconciled(write: Write, applied: boolean, by: Witness): Write {
  const resolved = { ...write, doubt: false }
  return applied
    ? { ...resolved, kind: doneKind(write), became: { code: 'effect-applied', params: { by } } }
    : { ...resolved, awaited: false, ...NO_EFFECT }
}

function doneKind({ reversible, compensable }: Write): EffectKind {
  if (reversible) return 'reversible'
  return compensable ? 'compensable' : 'irreversible'
}
