/** Loops that resemble an agent which takes one item of a queue after the other. */
import type { Shape } from './loops.ts'

type Lap = ReturnType<Shape['lap']>

const WORDS = 'amber birch cedar dune ember fjord grove heath inlet jetty knoll ledge'.split(' ')
const words = (n: number) => `${WORDS[n % 12]} ${WORDS[(n * 5) % 12]} ${n}`
const uuid = (n: number) => {
  const hex = (n * 0x9e3779b1).toString(16).padStart(12, 'a')
  return `${hex.slice(0, 8)}-${hex.slice(-4)}-4${hex.slice(1, 4)}-a${hex.slice(2, 5)}-${hex.slice(-12)}`
}

const inTurn = (name: string, ...steps: readonly ((n: number) => Lap)[]): Shape => ({
  name,
  lap: lap => steps[(lap - 1) % steps.length]?.(Math.ceil(lap / steps.length)) ?? {},
})
const failed = (n: number) => ({ id: uuid(n), status: 'failed' })
const take = (n: number) => ({ tool: 'next_job', args: {}, result: failed(n) })
const save = (args: object, result: unknown = { ok: true }) => ({ tool: 'save', args, result })

const thinking = (n: number, thought: string): Lap => {
  const place = { thoughtNumber: n, totalThoughts: 100, nextThoughtNeeded: true }
  return {
    tool: 'sequentialthinking',
    args: { thought, ...place },
    result: [{ type: 'text', text: JSON.stringify({ ...place, branches: [], history: n }) }],
  }
}
const THOUGHT =
  'I need to look at the file again before I continue, because the test fails and I am not sure whether the parser or the printer is the reason. Let me think about it step by step, and then decide which of the two files I open next.'

/** Thoughts that a tool numbers. */
export const THOUGHTS: readonly Shape[] = [
  { name: 'one long thought with another number', lap: n => thinking(n, THOUGHT) },
  {
    name: 'thoughts that go on',
    healthy: true,
    lap: n => thinking(n, `${THOUGHT} The reason may be the ${words(n)}, or the ${words(n + 5)}.`),
  },
  {
    name: 'a short thought before each new page',
    healthy: true,
    lap: n =>
      n % 2
        ? thinking(n, 'I read the next page now.')
        : { tool: 'read', args: { page: words(n) }, result: `The ${words(n)} of ${words(n * 7)}` },
  },
]

export const QUEUED: readonly Shape[] = [
  inTurn('failed jobs, and new writes about none of them', take, n => save({ text: words(n) })),
  inTurn('failed jobs, and refused writes about each', take, n =>
    save({ id: uuid(n), note: words(n) }, { ok: false }),
  ),
  inTurn(
    'the same failed job, and new writes about it',
    () => take(1),
    n => save({ id: uuid(1), note: words(n) }),
  ),
  inTurn(
    'two failed jobs in turn, and new writes about them',
    n => take(n % 2),
    n => save({ id: uuid(n % 2), note: words(n) }),
  ),
  inTurn(
    'a request that fails with a new id, and notes with the id',
    n => ({ ...take(n), result: { error: 'Permission denied', request_id: uuid(n) } }),
    n => save({ request: uuid(n), note: words(n) }),
  ),
  inTurn('failed jobs, and new sentences that quote the ids', take, n =>
    save({ text: `The job ${uuid(n)} failed as well, ${words(n)}` }),
  ),
  inTurn(
    'a new session, and the same rows with it',
    n => ({ tool: 'login', args: {}, result: { session: uuid(n) } }),
    n => ({
      ...{ tool: 'get_rows', args: { session: uuid(n), table: 'orders' } },
      result: { rows: [{ total: 7, state: 'open' }] },
    }),
  ),
  inTurn(
    'a new session, and the same search without a result in it',
    n => ({ tool: 'login', args: {}, result: { session: uuid(n) } }),
    n => ({ tool: 'search', args: { session: uuid(n), query: 'lamp' }, result: { hits: [] } }),
  ),
  inTurn(
    'tests that name their run, and writes about the run',
    n => ({ tool: 'run_tests', args: {}, result: { run_id: uuid(n), passed: false } }),
    n => save({ run: uuid(n), note: words(n) }),
  ),
  inTurn(
    'a command that names its run, and writes about the run',
    n => ({
      ...{ tool: 'bash', args: { command: 'make test' } },
      result: `run ${uuid(n)}: 3 failed`,
    }),
    n => save({ run: uuid(n), note: words(n) }),
  ),
  inTurn(
    'a write that fails with a new id, and writes that undo it',
    n => save({}, failed(n)),
    n => ({ tool: 'edit', args: { undo: uuid(n) }, result: { ok: true } }),
  ),
]
