/**
 * Tells people of open questions, through the notifiers there are: once for each question, step of its chain and notifier. The
 * question is stored before anybody hears of it, and what came of telling is an event. A process that dies between the two tells
 * again, under the same id. Nothing here stops or delays the run.
 */
import { reviewOf } from '../../core/review/review.ts'
import { FAILURE_RULES } from '../../core/watch/failure/failure-rules.ts'
import type { Json } from '../../core/watch/json.ts'
import { POLICY, retryIn } from '../../core/watch/policy.ts'
import { draw } from '../../core/watch/random.ts'
import type { Alarms } from '../time/alarms.ts'
import { excerpt } from '../call/cut.ts'
import { failureOf } from '../call/failure-of.ts'
import type { Journal } from '../drive/journal.ts'
import { Leave } from '../time/leave.ts'
import { type Asked, type Owed, owedBy } from './owed.ts'
import type { Notice, Notifier, Ports } from '../ports.ts'
import { within } from '../time/within.ts'

export interface Notices {
  /** Waits until something has come of a notice that is under way, or something else has happened. `false`: none is under way. */
  sent(): Promise<boolean>
  stop(): void
}

const NONE: Notices = { sent: async () => false, stop: () => {} }

export function noticesOf(ports: Ports, journal: Journal, alarms: Alarms): Notices {
  const { notifiers = [] } = ports
  if (notifiers.length === 0) return NONE
  const underWay = new Map<string, { readonly leave: Leave; readonly done: Promise<void> }>()
  let stopped = false
  const look = () => {
    const owed = new Map(
      stopped ? [] : owedBy(journal.run, notifiers).map(one => [idOf(journal, one), one]),
    )
    // Nobody need hear any more of what has been answered or has moved on.
    for (const [id, { leave }] of underWay)
      if (!owed.has(id)) leave.leave(new Error('the question is closed'))
    for (const [id, one] of owed) {
      if (underWay.has(id)) continue
      const leave = new Leave()
      const done = told({ ports, journal, alarms, leave }, id, one).finally(
        () => void underWay.delete(id),
      )
      underWay.set(id, { leave, done })
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
function idOf({ lease }: Journal, { asked, step, notifier }: Owed): string {
  return `${lease.thread}/${asked.id}/${step}/${notifier.name}`
}

interface Telling {
  readonly ports: Ports
  readonly journal: Journal
  readonly alarms: Alarms
  readonly leave: Leave
}

async function told(telling: Telling, id: string, { asked, step, notifier }: Owed): Promise<void> {
  const { ports, journal, leave } = telling
  try {
    await journal.flush()
    const notice = await noticeOf(ports, journal, asked, step)
    if (!notice) return
    const came = await delivered(telling, id, { notifier, notice })
    if (leave.left) return
    journal.take({ type: 'notified', effect: asked.id, step, notifier: notifier.name, ...came })
    await journal.flush()
  } catch {
    // A store that does not work now is met by the drive itself; whoever drives next tells again.
  }
}

async function noticeOf(
  { graph, store, redact }: Ports,
  { run, lease }: Journal,
  asked: Asked,
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

interface Came {
  readonly ok: boolean
  readonly attempts: number
  readonly detail: string
}

const DETAIL_MAX = 200

async function delivered(
  { ports, journal, alarms, leave }: Telling,
  id: string,
  { notifier, notice }: { readonly notifier: Notifier; readonly notice: Notice },
): Promise<Came> {
  const { clock } = ports
  for (let attempt = 1; ; attempt++) {
    const terms = { clock, alarms, ms: notifier.timeout, leave, late: () => {} }
    const ended = await within(terms, own =>
      notifier.send(notice, { id, attempt, signal: own.signal }),
    )
    if (ended.ok) return { ok: true, attempts: attempt, detail: excerpt(ended.value, DETAIL_MAX) }
    const failure = failureOf(ports, FAILURE_RULES, ended.error)
    const wait = retryIn(
      { ...POLICY.retry, attempts: notifier.attempts },
      { failure, attempt, spent: 0, chance: draw(journal.run.seed, id, attempt, 'backoff') },
    )
    if (wait === undefined || leave.left)
      return { ok: false, attempts: attempt, detail: excerpt(failure.message, DETAIL_MAX) }
    await clock.sleep(wait, leave.signal)
  }
}
