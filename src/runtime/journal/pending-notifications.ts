/** Which notices a run still owes to people. */
import type { Effect } from '../../core/effects.ts'
import type { Run } from '../../core/run.ts'
import type { Notifier } from '../ports.ts'

export type OpenQuestion = Effect & { readonly type: 'interrupt' }

/** A notice that has not been given yet. */
export interface PendingNotification {
  readonly question: OpenQuestion
  readonly step: number
  readonly notifier: Notifier
}

/** What is still to be told, and by whom. */
export function pendingNotifications(
  { pending }: Run,
  notifiers: readonly Notifier[] = [],
): readonly PendingNotification[] {
  if (notifiers.length === 0) return []
  return pending.flatMap(question =>
    question.type !== 'interrupt'
      ? []
      : notifiers.flatMap(notifier =>
          isPending(question, notifier) ? [{ question, step: question.step ?? 0, notifier }] : [],
        ),
  )
}

function isPending({ to, told = [] }: OpenQuestion, { name, to: served }: Notifier): boolean {
  return !told.includes(name) && (served === undefined || (to !== undefined && served.includes(to)))
}
