/** What each lap makes for itself has a new id. Laps that differ in nothing else are a loop; a new sandbox for each task is not. */
import { expect, test } from 'vitest'
import { seenInGraph } from './loop-paths.ts'
import { type Lap, seenAt, type Shape } from './loops.ts'

const WRITES = ['create_branch', 'run_sql', 'delete_branch', 'Bash', 'TaskStop', 'run_code']

/** Twelve characters of a generated id. */
const drawn = (n: number) => ((n * 2_654_435_761) % 4_294_967_296).toString(16).padStart(12, 'a7')
const cycle = (lapOf: (id: string, n: number) => readonly Lap[]): Shape => ({
  name: '',
  lap: n => {
    const length = lapOf('', 0).length
    const lap = Math.ceil(n / length)
    return lapOf(drawn(lap), lap)[(n - 1) % length] ?? {}
  },
})

const branch = (id: string, statement: string, result: unknown): readonly Lap[] => [
  {
    tool: 'create_branch',
    args: { project: 'p-1', name: 'tmp' },
    result: `Branch created.\nProject ID: p-1\nBranch ID: ${id}\nParent branch: main`,
  },
  { tool: 'run_sql', args: { project: 'p-1', branch: id, sql: statement }, result },
  {
    tool: 'delete_branch',
    args: { project: 'p-1', branch: id },
    result: `Branch deleted.\nBranch ID: ${id}`,
  },
]
const server = (id: string): readonly Lap[] => [
  {
    tool: 'Bash',
    args: { command: 'npm run dev', run_in_background: true },
    result: `Command running in background with ID: ${id}. Output is being written to: /tmp/tasks/${id}.output.`,
  },
  {
    tool: 'Bash',
    args: { command: 'curl -s http://localhost:3000/health' },
    result: 'Exit code 7\ncurl: (7) Failed to connect to localhost port 3000 after 0 ms',
  },
  {
    tool: 'TaskStop',
    args: { task_id: id },
    result: { message: `Successfully stopped task: ${id}`, task_id: id, command: 'npm run dev' },
  },
]

/** 64 digits, of which Docker prints all and takes the first twelve. */
const container = (id: string): readonly Lap[] => {
  const whole = id.repeat(6).slice(0, 64)
  const short = whole.slice(0, 12)
  return [
    { tool: 'Bash', args: { command: 'docker run -d app:latest' }, result: whole },
    {
      tool: 'Bash',
      args: { command: `docker logs ${short}` },
      result: "Error: Cannot find module '/app/server.js'",
    },
    { tool: 'Bash', args: { command: `docker rm -f ${short}` }, result: short },
  ]
}
const shell = (_: string, n: number): readonly Lap[] => [
  {
    tool: 'Bash',
    args: { command: 'npm run dev', run_in_background: true },
    result: `Command running in background with ID: bash_${n}`,
  },
  {
    tool: 'BashOutput',
    args: { bash_id: `bash_${n}` },
    result: '<status>running</status>\n\n<stdout>\n> vite\nVITE ready\n</stdout>',
  },
  {
    tool: 'TaskStop',
    args: { shell_id: `bash_${n}` },
    result: {
      message: `Successfully killed shell: bash_${n} (npm run dev)`,
      shell_id: `bash_${n}`,
    },
  },
]
const run = (_: string, n: number): readonly Lap[] => [
  {
    tool: 'run_code',
    args: { job_id: 11_223 },
    result: { run_id: 455_644 + n * 77, number_in_job: 455_644 + n * 77 },
  },
  {
    tool: 'get_run',
    args: { run_id: 455_644 + n * 77 },
    result: { run_id: 455_644 + n * 77, state: { result_state: 'FAILED', state_message: 'No.' } },
  },
]

const ADD = 'ALTER TABLE orders ADD COLUMN vat numeric'

test.each([
  ['a branch of a database', cycle(id => branch(id, ADD, 'column "vat" already exists'))],
  ['a branch whose rows are read', cycle(id => branch(id, 'SELECT 1', [{ id: 1, open: true }]))],
  ['a server in the background', cycle(server)],
  ['a container with a short id', cycle(container)],
  ['a shell whose receipt quotes it', cycle(shell)],
])('%s that is made, used and removed is seen in the fourth lap', async (_, shape) => {
  expect(seenAt(shape, WRITES)?.lap).toBeLessThanOrEqual(12)
  const seen = await seenInGraph(shape)
  if (seen === undefined || seen === 'other') throw new Error('nothing was found')
  expect(seen.lap).toBeLessThanOrEqual(12)
})

test('a session with a number that is made, used and removed is seen in the fourth lap', () => {
  const sessions = cycle((_, n) => [
    { tool: 'create_branch', args: {}, result: { id: 7_000 + n * 3, state: 'ready' } },
    { tool: 'run_code', args: { session: 7_000 + n * 3, code: 'run()' }, result: 'no output' },
    { tool: 'delete_branch', args: { id: 7_000 + n * 3 }, result: { closed: true } },
  ])
  expect(seenAt(sessions, WRITES)?.lap).toBeLessThanOrEqual(12)
})

test('a run whose id has another name, too, is seen', () => {
  expect(seenAt(cycle(run), WRITES)?.lap).toBeLessThanOrEqual(12)
})

test('a branch whose name only its receipt repeats is seen', () => {
  const names = cycle((_, n) => [
    { tool: 'create_branch', args: {}, result: { id: `br-${n}` } },
    { tool: 'run_sql', args: { branch: `br-${n}`, sql: ADD }, result: 'column exists' },
    { tool: 'delete_branch', args: { branch: `br-${n}` }, result: { dropped: `br-${n}` } },
  ])
  expect(seenAt(names, WRITES)?.lap).toBeLessThanOrEqual(12)
})

test('a job that is submitted again and fails is seen', () => {
  const jobs = cycle((_, n) => [
    {
      tool: 'Bash',
      args: { command: 'sbatch a.sh' },
      result: `Submitted batch job ${700 + n * 13}`,
    },
    {
      tool: 'Bash',
      args: { command: `sacct -j ${700 + n * 13} -X -n -o State,ExitCode` },
      result: '    FAILED      1:0 ',
    },
  ])
  expect(seenAt(jobs, WRITES)?.lap).toBeLessThanOrEqual(20)
})

test.each<readonly [string, Shape]>([
  [
    'a new statement in each branch',
    cycle((id, n) => branch(id, `SELECT * FROM table_${drawn(n * 7)}`, [{ n: n * 7 }])),
  ],
  [
    'new code in each sandbox',
    cycle((id, n) => [
      { tool: 'create_branch', args: {}, result: { sandboxId: id, state: 'running' } },
      {
        tool: 'run_code',
        args: { sandboxId: id, code: `print(solve(${n * 31}))` },
        result: `The solution of part ${n} is ${(n * 7_919) % 997}.`,
      },
      { tool: 'delete_branch', args: { sandboxId: id }, result: { ok: true } },
    ]),
  ],
])('%s is not a loop', async (_, shape) => {
  expect(seenAt(shape, WRITES)).toBeUndefined()
  expect(await seenInGraph(shape)).toBeUndefined()
})
