/** The ledger of a thread: what it has done to the world, and what became of it. */
import type { Reason } from '../watch/reason/reason.ts'
import type { Row } from '../run.ts'
import type { CallEvent } from '../watch/event/call-event.ts'
import type { Stamped } from '../watch/event/event.ts'
import { failureReason, leavesDoubt } from '../watch/failure/failure.ts'
import { canonical } from '../watch/data/signature.ts'

/**
 * - `reversible`: took effect; its tool is declared so: an ordinary later call undoes it
 * - `compensable`: took effect; its tool knows how to undo it, and has not
 * - `irreversible`: took effect; nothing here can undo it
 * - `indeterminate`: nobody knows whether it took effect, or was undone; or one of these is still on its way
 * - `late`: took effect after its call had been given up, so that the thread went on without it
 * - `compensated`: took effect, and has been undone
 */
export type EffectKind =
  | 'reversible'
  | 'compensable'
  | 'irreversible'
  | 'indeterminate'
  | 'late'
  | 'compensated'

/** One call that changed the world, or may have. A write that surely failed is none, nor is a read. */
export interface ExternalEffect {
  readonly call: string
  readonly tool: string
  /** As canonical JSON, cut. */
  readonly args: string
  /** The event by which it is known, and its time in ms. */
  readonly seq: number
  readonly at: number
  readonly kind: EffectKind
  readonly became: Reason
}

const ARGS_MAX = 120
const NO_EFFECT: Reason = { code: 'no-effect' }

/** Who says that it took effect. `late`: its own late answer. */
type Reconciler = 'tool' | 'person' | 'late'

/**
 * The external effects of a thread so far, in the order in which they were first begun. Reads all rows once.
 *
 * @example const writes = effectsOf(await store.rows('ticket-42'))
 */
export function effectsOf(rows: readonly Row[]): readonly ExternalEffect[] {
  const writes = new Map<string, Write>()
  for (const { seq, event } of rows) {
    // What stands before it, its parent has done.
    if (event.type === 'forked') writes.clear()
    else if (event.type === 'resume' && event.effect.endsWith('?')) {
      const write = writes.get(event.effect.slice(0, -1))
      if (write && (event.decision === 'applied' || event.decision === 'not-applied'))
        writes.set(
          write.call,
          noteReconciled(write, {
            seq,
            at: event.at,
            applied: event.decision === 'applied',
            by: 'person',
          }),
        )
    } else if ('call' in event && event.type !== 'reported' && !('recorded' in event)) {
      const undoes = 'compensates' in event ? event.compensates : undefined
      const known = writes.get(undoes ?? event.call)
      const write =
        undoes === undefined
          ? noteCall(known, seq, event as Stamped<CallEvent>)
          : known && noteCompensation(known, seq, event as Stamped<CallEvent>)
      if (write) writes.set(write.call, write)
    }
  }
  return [...writes.values()].flatMap(
    ({ kind, reversible: _, compensable: _c, doubt: _d, awaited: _a, undoing: _u, ...write }) =>
      kind === 'none' ? [] : [{ ...write, kind }],
  )
}

interface Write extends Omit<ExternalEffect, 'kind'> {
  /** `none`: it surely had no effect. */
  readonly kind: EffectKind | 'none'
  readonly reversible: boolean
  readonly compensable: boolean
  /** An attempt has ended so that nobody knows what it did. */
  readonly doubt: boolean
  /** Its node waits for what comes of it. */
  readonly awaited: boolean
  /** What it was when its undoing began, and whether an attempt at that has ended so that nobody knows what it did. */
  readonly undoing?: { readonly kind: EffectKind | 'none'; readonly doubt: boolean }
}

function noteCall(
  write: Write | undefined,
  seq: number,
  event: Stamped<CallEvent>,
): Write | undefined {
  const { at } = event
  if (event.type === 'tool.called') {
    if (event.effects === 'read' || event.compensates !== undefined) return undefined
    const begun = {
      call: event.call,
      tool: event.subject,
      args: truncate(canonical(event.args)),
      reversible: event.reversible === true,
      compensable: event.compensable === true,
      doubt: write?.doubt ?? false,
      awaited: true,
    }
    return { ...begun, seq, at, kind: 'indeterminate', became: { code: 'effect-pending' } }
  }
  if (!write) return undefined
  switch (event.type) {
    case 'tool.done':
      return { ...write, seq, at, kind: doneKind(write), became: { code: 'effect-applied' } }
    case 'tool.failed': {
      const doubt =
        write.doubt || event.failure.class === 'indeterminate' || leavesDoubt(event.failure)
      const awaited = !event.final || event.failure.class === 'indeterminate'
      if (doubt)
        return {
          ...write,
          doubt,
          awaited,
          seq,
          at,
          kind: 'indeterminate',
          became: { code: 'effect-unknown', cause: failureReason(event.failure) },
        }
      return { ...write, awaited, seq, at, kind: 'none', became: NO_EFFECT }
    }
    case 'call.late':
      if (!event.ok) return write
      return write.awaited
        ? noteReconciled(write, { seq, at, applied: true, by: 'late' })
        : { ...write, seq, at, kind: 'late', became: { code: 'effect-late' } }
    case 'call.reconciled':
      return event.answer === 'unknown'
        ? write
        : noteReconciled(write, {
            seq,
            at,
            applied: event.answer === 'applied',
            by: event.by,
          })
    default:
      return write
  }
}

/** The write while a call undoes it, and after. */
function noteCompensation(write: Write, seq: number, event: Stamped<CallEvent>): Write {
  // Once it is known to be undone, another attempt at that changes nothing.
  if (write.kind === 'compensated') return write
  const { undoing = { kind: write.kind, doubt: false } } = write
  const known = { ...write, undoing, seq, at: event.at }
  switch (event.type) {
    case 'tool.called':
      return {
        ...known,
        kind: 'indeterminate',
        became: { code: 'undo-pending', params: { id: event.call } },
      }
    case 'tool.done':
      return {
        ...known,
        kind: 'compensated',
        became: { code: 'undone', params: { id: event.call } },
      }
    case 'call.late':
      return event.ok
        ? { ...known, kind: 'compensated', became: { code: 'undone', params: { id: event.call } } }
        : write
    case 'tool.failed': {
      const doubt = undoing.doubt || leavesDoubt(event.failure)
      const told = { ...known, undoing: { ...undoing, doubt } }
      if (doubt)
        return {
          ...told,
          kind: 'indeterminate',
          became: { code: 'undo-unknown', cause: failureReason(event.failure) },
        }
      return event.final
        ? {
            ...told,
            kind: undoing.kind,
            became: { code: 'undo-failed', cause: failureReason(event.failure) },
          }
        : told
    }
    default:
      return write
  }
}

/** What was in doubt is known. */
function noteReconciled(
  write: Write,
  {
    seq,
    at,
    applied,
    by,
  }: {
    readonly seq: number
    readonly at: number
    readonly applied: boolean
    readonly by: Reconciler
  },
): Write {
  if (!applied)
    return { ...write, doubt: false, awaited: false, seq, at, kind: 'none', became: NO_EFFECT }
  return {
    ...write,
    doubt: false,
    seq,
    at,
    kind: doneKind(write),
    became: { code: 'effect-applied', params: { by } },
  }
}

function doneKind({ reversible, compensable }: Write): EffectKind {
  return reversible ? 'reversible' : compensable ? 'compensable' : 'irreversible'
}

function truncate(text: string): string {
  return text.length > ARGS_MAX ? `${text.slice(0, ARGS_MAX)}…` : text
}
