/** Notifies people of open questions, once for each step and notifier, with the same id after a crash. Nothing here stops or delays the run. */
import { reviewOf } from '../../core/review/review.ts'
import { FAILURE_RULES } from '../../core/watch/failure/failure-rules.ts'
import type { EventOf } from '../../core/watch/event/event.ts'
import { draw } from '../../core/watch/data/json.ts'
import { POLICY, retryDelay } from '../../core/watch/policy/policy.ts'
import type { Timers } from '../time/timers.ts'
import { toJson, excerpt } from '../call/stored-json.ts'
import { failureOf } from '../call/callable.ts'
import type { CallContext } from '../call/context.ts'
import { Cancellation, within } from '../time/cancellation.ts'
import { type Journal, nextChange, type PendingNotification } from '../journal/journal.ts'
import { pendingNotifications } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import type { Notice, Notifier } from '../notifier.ts'

export interface Notices {
  /** Waits for the result of a notification, or for another event. Returns `false` if no notification is being sent. */
  sent(): Promise<boolean>
  stop(): void
}

const NONE: Notices = { sent: async () => false, stop: () => {} }

export function noticesOf(ports: Ports, journal: Journal, timers: Timers): Notices {
  const { notifiers = [] } = ports
  if (notifiers.length === 0) return NONE
  const active = new Map<string, { cancellation: Cancellation; done: Promise<void> }>()
  let stopped = false
  const update = () => {
    const pending = stopped ? [] : pendingNotifications(journal.run, notifiers)
    const wanted = new Map(pending.map(one => [idOf(journal, one), one]))
    for (const [id, { cancellation }] of active)
      if (!wanted.has(id)) cancellation.cancel(new Error('the question is closed'))
    for (const [id, one] of wanted) {
      if (active.has(id)) continue
      const cancellation = new Cancellation()
      const sending = notify({ ports, journal, timers, cancellation, id }, one)
      active.set(id, { cancellation, done: sending.finally(() => void active.delete(id)) })
    }
  }
  const unsubscribe = journal.onChange(update)
  update()
  return {
    async sent() {
      if (active.size === 0) return false
      await Promise.race([nextChange(journal), ...[...active.values()].map(({ done }) => done)])
      return true
    },
    stop() {
      stopped = true
      unsubscribe()
      update()
    },
  }
}

/** Equal for every attempt, and after a crash. */
const idOf = ({ lease }: Journal, { question, step, notifier }: PendingNotification): string =>
  `${lease.thread}/${question.id}/${step}/${notifier.name}`

/** The `id` of the notification, and what it shares with the drive. */
interface NotifyContext extends Pick<CallContext, 'ports' | 'journal' | 'timers' | 'cancellation'> {
  readonly id: string
}

async function notify(context: NotifyContext, pending: PendingNotification): Promise<void> {
  const { journal, cancellation } = context
  const { question, step, notifier } = pending
  try {
    await journal.flush()
    const notice = await noticeOf(context, pending)
    if (!notice) return
    const result = await deliver(context, notifier, notice)
    if (cancellation.cancelled) return
    const id = { effect: question.id, step, notifier: notifier.name }
    journal.take({ type: 'notified', ...id, ...result })
    await journal.flush()
  } catch {
    // The driver handles the failure of the store. The next driver sends the notification again.
  }
}

async function noticeOf(
  { ports: { graph, store, redact }, journal: { run, lease } }: NotifyContext,
  { question, step }: PendingNotification,
): Promise<Notice | undefined> {
  const { thread } = lease
  const review = reviewOf(graph.machine, run, await store.rows(thread), question.id)
  if (!review) return undefined
  const type = step > 0 ? 'question.escalated' : 'question.opened'
  return redact({ type, thread, graph: graph.machine.id, step, review })
}

const DETAIL_MAX = 200

/** A notifier of JavaScript may return nothing, or its own object. */
function answerText(answer: unknown): string {
  if (typeof answer === 'string') return answer
  const { value } = toJson(answer ?? '')
  return value === undefined || value === '' ? '' : JSON.stringify(value)
}

async function deliver(
  { ports, journal, timers, cancellation, id }: NotifyContext,
  notifier: Notifier,
  notice: Notice,
): Promise<Pick<EventOf<'notified'>, 'ok' | 'attempts' | 'detail'>> {
  const { clock } = ports
  const retry = { ...POLICY.retry, attempts: notifier.attempts }
  for (let attempt = 1; ; attempt++) {
    const options = { clock, timers, ms: notifier.timeout, cancellation, late: () => {} }
    const ended = await within(options, async ({ signal }) =>
      ports.redact(answerText(await notifier.send(notice, { id, attempt, signal }))),
    )
    if (ended.ok) return { ok: true, attempts: attempt, detail: excerpt(ended.value, DETAIL_MAX) }
    const failure = failureOf({ ports, journal }, ended.error, FAILURE_RULES)
    const chance = draw(journal.run.seed, id, attempt, 'backoff')
    const wait = retryDelay(retry, { failure, attempt, spent: 0, chance })
    if (wait === undefined || cancellation.cancelled)
      return { ok: false, attempts: attempt, detail: excerpt(failure.message, DETAIL_MAX) }
    await clock.sleep(wait, cancellation.signal)
  }
}
