/**
 * Tells people of open questions, through the notifiers there are: once for each question, step of its chain and notifier. The
 * question is stored before anybody hears of it, and what came of telling is an event. A process that dies between the two tells
 * again, under the same id. Nothing here stops or delays the run.
 */
import { reviewOf } from '../../core/review/review.ts'
import { FAILURE_RULES } from '../../core/watch/failure/failure-rules.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { POLICY, retryDelay } from '../../core/watch/policy/policy.ts'
import { draw } from '../../core/watch/data/signature.ts'
import type { Timers } from '../time/timers.ts'
import { excerpt } from '../call/stored-json.ts'
import { failureOf } from '../call/failures.ts'
import { Cancellation } from '../time/cancellation.ts'
import {
  type Journal,
  type OpenQuestion,
  type PendingNotification,
  pendingNotifications,
} from '../journal/journal.ts'
import type { Notice, Notifier, Ports } from '../ports.ts'
import { within } from '../time/within.ts'

export interface Notices {
  /** Waits until something has come of a notice that is under way, or something else has happened. `false`: none is under way. */
  sent(): Promise<boolean>
  stop(): void
}

const NONE: Notices = { sent: async () => false, stop: () => {} }

export function noticesOf(ports: Ports, journal: Journal, timers: Timers): Notices {
  const { notifiers = [] } = ports
  if (notifiers.length === 0) return NONE
  const underWay = new Map<string, { readonly leave: Cancellation; readonly done: Promise<void> }>()
  let stopped = false
  const look = () => {
    const owed = new Map(
      stopped
        ? []
        : pendingNotifications(journal.run, notifiers).map(one => [idOf(journal, one), one]),
    )
    // Nobody need hear any more of what has been answered or has moved on.
    for (const [id, { leave: cancellation }] of underWay)
      if (!owed.has(id)) cancellation.cancel(new Error('the question is closed'))
    for (const [id, one] of owed) {
      if (underWay.has(id)) continue
      const cancellation = new Cancellation()
      const done = notify({ ports, journal, timers, cancellation }, id, one).finally(
        () => void underWay.delete(id),
      )
      underWay.set(id, { leave: cancellation, done })
    }
  }
  const ends = journal.onChange(look)
  look()
  return {
    async sent() {
      if (underWay.size === 0) return false
      const done = [...underWay.values()].map(({ done }) => done)
      let forget = () => {}
      await Promise.race([
        ...done,
        new Promise<void>(resolve => {
          forget = journal.onChange(resolve)
        }),
      ])
      forget()
      return true
    },
    stop() {
      stopped = true
      ends()
      look()
    },
  }
}

/** The same for every attempt, and after a crash. */
function idOf({ lease }: Journal, { question, step, notifier }: PendingNotification): string {
  return `${lease.thread}/${question.id}/${step}/${notifier.name}`
}

interface NotifyTerms {
  readonly ports: Ports
  readonly journal: Journal
  readonly timers: Timers
  readonly cancellation: Cancellation
}

async function notify(
  telling: NotifyTerms,
  id: string,
  { question, step, notifier }: PendingNotification,
): Promise<void> {
  const { ports, journal, cancellation } = telling
  try {
    await journal.flush()
    const notice = await noticeOf(ports, journal, question, step)
    if (!notice) return
    const came = await deliver(telling, id, { notifier, notice })
    if (cancellation.cancelled) return
    journal.take({ type: 'notified', effect: question.id, step, notifier: notifier.name, ...came })
    await journal.flush()
  } catch {
    // A store that does not work now is met by the drive itself; whoever drives next tells again.
  }
}

async function noticeOf(
  { graph, store, redact }: Ports,
  { run, lease }: Journal,
  asked: OpenQuestion,
  step: number,
): Promise<Notice | undefined> {
  const review = reviewOf(graph.machine, run, await store.rows(lease.thread), asked.id)
  if (!review) return undefined
  const notice: Notice = {
    type: step > 0 ? 'question.escalated' : 'question.opened',
    thread: lease.thread,
    graph: graph.machine.id,
    step,
    review,
  }
  return redact(notice as unknown as Json) as unknown as Notice
}

interface DeliveryResult {
  readonly ok: boolean
  readonly attempts: number
  readonly detail: string
}

const DETAIL_MAX = 200

async function deliver(
  { ports, journal, timers, cancellation }: NotifyTerms,
  id: string,
  { notifier, notice }: { readonly notifier: Notifier; readonly notice: Notice },
): Promise<DeliveryResult> {
  const { clock } = ports
  for (let attempt = 1; ; attempt++) {
    const terms = { clock, timers, ms: notifier.timeout, cancellation, late: () => {} }
    const ended = await within(terms, own =>
      notifier.send(notice, { id, attempt, signal: own.signal }),
    )
    if (ended.ok) return { ok: true, attempts: attempt, detail: excerpt(ended.value, DETAIL_MAX) }
    const failure = failureOf({ ports, journal }, ended.error, FAILURE_RULES)
    const wait = retryDelay(
      { ...POLICY.retry, attempts: notifier.attempts },
      { failure, attempt, spent: 0, chance: draw(journal.run.seed, id, attempt, 'backoff') },
    )
    if (wait === undefined || cancellation.cancelled)
      return { ok: false, attempts: attempt, detail: excerpt(failure.message, DETAIL_MAX) }
    await clock.sleep(wait, cancellation.signal)
  }
}
