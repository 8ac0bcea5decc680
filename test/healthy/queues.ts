/** Healthy agents that take one item of a queue after the other, each of them with a word of failure, or alike but for its id. */
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Shape } from '../attack/loops.ts'

type Step = ReturnType<Shape['lap']>

const NOTES = 'amber birch cedar dune ember fjord grove heath inlet jetty knoll ledge'.split(' ')
const note = (n: number) => `handled ${NOTES[n % 12]} ${NOTES[(n * 5) % 12]} ${n}`
const uuid = (n: number) => {
  const hex = (n * 0x9e3779b1).toString(16).padStart(12, 'a')
  return `${hex.slice(0, 8)}-${hex.slice(-4)}-4${hex.slice(1, 4)}-a${hex.slice(2, 5)}-${hex.slice(-12)}`
}
const payment = (n: number) => `pi_${uuid(n).replaceAll('-', '')}`
const day = (n: number) =>
  `2026-01-${String(1 + (n % 28)).padStart(2, '0')}T10:${10 + (n % 49)}:00Z`

/** `steps`: the calls about item `n`, the first of which takes it. */
const queue = (name: string, steps: readonly ((n: number) => Step)[]): Shape => ({
  name: `takes ${name}`,
  laps: 60,
  healthy: true,
  lap: lap => steps[(lap - 1) % steps.length]?.(Math.ceil(lap / steps.length)) ?? {},
})
const take = (tool: string, item: (n: number) => Json) => (n: number) => ({
  ...{ tool, args: {}, result: item(n) },
})
/** A declared write, and a call that is not declared. */
const save = (id: (n: number) => Json) => (n: number) => ({
  ...{ tool: 'save', args: { id: id(n), note: note(n) }, result: { ok: true } },
})
const handle = (id: (n: number) => Json, result: Json) => (n: number) => ({
  ...{ tool: 'handle', args: { id: id(n) }, result },
})

const alert = (n: number) => ({ id: 7000 + n, service: 'checkout', title: 'Health check failed' })
const job = (n: number) => ({ id: uuid(n), queue: 'mail', status: 'failed', reason: 'timeout' })

export const QUEUES: readonly Shape[] = [
  queue('failed payments', [
    take('next_payment', n => {
      return { id: payment(n), amount: 1000 + n * 17, currency: 'eur', status: 'failed' }
    }),
    save(payment),
  ]),
  queue('alerts of one kind', [take('next_alert', alert), save(n => 7000 + n)]),
  queue('alerts of one kind at other times', [
    take('next_alert', n => ({ ...alert(n), id: uuid(n), at: day(n) })),
    save(uuid),
  ]),
  queue('dead letters', [
    take('next_dead_letter', n => ({ id: uuid(n), order: 5000 + n, error: 'timeout' })),
    save(uuid),
  ]),
  queue('mails with one subject', [
    take('next_email', n => {
      return { id: uuid(n), from: 'ci@example.com', subject: 'Your build failed', date: day(n) }
    }),
    save(uuid),
  ]),
  queue('failed jobs, with a call that is not declared as a write', [
    take('next_job', job),
    handle(uuid, { status: 'queued' }),
  ]),
  queue('failed jobs with a write', [take('claim_job', job), save(uuid)]),
  queue('failed jobs that fail again', [
    take('next_job', job),
    n => ({ tool: 'save', args: { retry: uuid(n) }, result: { id: uuid(n), status: 'failed' } }),
  ]),
  queue('jobs, with a call that is not declared as a write', [
    take('next_job', n => ({ id: uuid(n), kind: 'mail' })),
    handle(uuid, 'ok'),
  ]),
  queue('failed jobs in texts', [
    take('next_job', n => `Job ${uuid(n)} failed: timeout`),
    n => ({ tool: 'bash', args: { command: `jobs retry ${uuid(n)}` }, result: 'queued' }),
  ]),
  queue('failed jobs in records, and confirms each', [
    take('next_job', n => ({ job: job(n) })),
    n => ({ tool: 'save', args: { job: { id: uuid(n) } }, result: { ok: true } }),
  ]),
  queue('alerts in twos', [
    take('next_alerts', n => [alert(2 * n), alert(2 * n + 1)]),
    n => ({ tool: 'save', args: { ids: [7000 + 2 * n, 7001 + 2 * n] }, result: { ok: true } }),
  ]),
  queue('failed payments, and writes to each customer', [
    take('next_payment', n => ({ id: payment(n), status: 'failed' })),
    n => ({
      ...{ tool: 'get_customer', args: { payment: payment(n) } },
      result: { name: note(n), city: NOTES[(n * 7) % 12] },
    }),
    n => ({ tool: 'send', args: { to: note(n), text: 'Your payment failed.' }, result: 'ok' }),
  ]),
  queue('alerts after the latest one', [
    n => ({ tool: 'next_alert', args: { after: 6999 + n }, result: alert(n) }),
    save(n => 7000 + n),
  ]),
]

/** The instructions are a check after each write. */
export const INSTRUCTED: Shape = queue('alerts, and reads the same instructions each time', [
  take('next_alert', alert),
  () => ({ tool: 'read', args: { path: 'runbook.md' }, result: 'Restart the service.' }),
  save(n => 7000 + n),
])
