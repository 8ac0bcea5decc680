/** Healthy agents that wait, check after each write, or ask about one thing after the other. */
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Shape } from '../attack/loops.ts'
import { INSTRUCTED } from './queues.ts'

type Step = ReturnType<Shape['lap']>

const call = (tool: string, args: Json, result: Json): Step => ({ tool, args, result })
const each = (name: string, lap: (n: number) => Step, laps = 30): Shape => ({
  name,
  laps,
  lap,
  healthy: true,
})

const SYLLABLES = ['ba', 'ko', 'li', 'mur', 'ne', 'sa', 'ti', 've']
/** A word that no other of 64 has. */
const word = (n: number) =>
  `${SYLLABLES[n % 8] ?? ''}${SYLLABLES[(n >> 3) % 8] ?? ''}${SYLLABLES[(n * 3) % 8] ?? ''}`

const edit = (n: number) => {
  const path = `src/${word(n)}.ts`
  return call('edit', { path, old: './old', new: `./${word(n * 7)}` }, { ok: true, path })
}
const CHECKS: readonly (readonly [shown: string, check: (n: number) => Step])[] = [
  ['"41 passed"', () => call('bash', { command: 'npm test' }, 'Tests: 41 passed, 41 total')],
  [
    '"41 passed" and its time',
    n =>
      call('bash', { command: 'npm test' }, `Tests: 41 passed\nTime: ${(2 + n / 10).toFixed(1)} s`),
  ],
  ['{"passed":41,"failed":0}', () => call('run_tests', {}, { passed: 41, failed: 0 })],
  ['nothing', () => call('bash', { command: 'npx tsc --noEmit' }, '')],
]

/** Tools that get a record, and are named as searches. */
const FINDERS = ['find_order', 'lookup_order', 'search_orders', 'query_order', 'get_order']
const FOUND: readonly (readonly [shown: string, result: (id: number) => Json])[] = [
  ['a record', id => ({ order_id: id, status: 'open' })],
  ['a record with a flag', id => ({ order_id: id, paid: false })],
  ['a record under its name', id => ({ ticket: { id, status: 'open', tags: ['billing'] } })],
  ['a record with an empty list', id => ({ order_id: id, status: 'open', replies: [] })],
  ['a record and what is wrong with it', id => ({ order_id: id, valid: true, issues: [] })],
  ['a list of one record', id => [{ order_id: id, status: 'open' }]],
  ['results and a total', id => ({ results: [{ order_id: id, status: 'open' }], total: 1 })],
  ['a list of another name', id => ({ orders: [{ order_id: id, status: 'open' }], count: 1 })],
  ['a record in an envelope', id => ({ data: { order_id: id, status: 'open' } })],
  [
    'hits of Elasticsearch',
    id => ({ hits: { total: 1, hits: [{ _source: { order_id: id, status: 'open' } }] } }),
  ],
  [
    'two parcels of the order',
    id => [
      { order_id: id, parcel: 'A', status: 'sent' },
      { order_id: id, parcel: 'B', status: 'sent' },
    ],
  ],
]

/** The plan of an agent that has done `done` of its steps. */
const planAfter = (done: number): Json =>
  Array.from({ length: 15 }, (_, step) => {
    const open = step === done ? 'in_progress' : 'pending'
    return { content: `Build ${word(step)}`, status: step < done ? 'completed' : open }
  })

const asRecords = planAfter
const asText = (done: number): Json => JSON.stringify(planAfter(done))
const asMarkdown = (done: number): Json =>
  Array.from({ length: 15 }, (_, step) => `[${step < done ? 'x' : ' '}] Build ${word(step)}`).join(
    '\n',
  )

/** Only the step that is done. */
const asMerge = (done: number): Json => [{ id: `${done}`, status: 'completed' }]

type Planner = readonly [tool: string, list: string, plan: (done: number) => Json, stored: Json]

const PLANNERS: readonly Planner[] = [
  ['TodoWrite', 'todos', asRecords, 'Todos have been modified successfully. Continue with them.'],
  ['todo_write', 'todos', asText, 'Todos have been modified successfully. Continue with them.'],
  ['write_todos', 'todos', asRecords, 'ok'],
  ['update_plan', 'plan', asRecords, 'Plan updated'],
  ['manage_todo_list', 'todoList', asRecords, { ok: true, count: 15 }],
  ['create_plan', 'plan', asRecords, 'Plan created'],
  ['mcp_plans_update_plan', 'plan', asRecords, 'ok'],
  ['todo_merge_todos', 'todos', asMerge, 'ok'],
  ['update_todo_list', 'todos', asMarkdown, 'Todo list updated successfully.'],
]

/** As `data` of an image: other bytes for another screen. */
const pixels = (n: number) => Buffer.from(`pixels ${word(n)} `.repeat(2_000)).toString('base64')

export const MORE_HEALTHY: readonly Shape[] = [
  // Plans, and answers of which only a part is a text
  ...PLANNERS.map(([tool, list, plan, stored]) =>
    each(`${tool} after each step`, n => call(tool, { [list]: plan(n) }, stored), 15),
  ),
  each(
    'runs one command on one host after the other',
    n =>
      call(
        'ssh',
        { host: word(n), command: 'crontab -l' },
        'The daily backup and the weekly cleanup of old log files are in this crontab, and nothing else.',
      ),
    12,
  ),
  each('gets the plan of one project after the other', n =>
    call('get_plan', { project: word(n), filters: [{ status: 'open' }] }, { open: [] }),
  ),
  each('clicks, answered by "Done." and a new screenshot', n =>
    call('click', { x: 40, y: 200 }, [
      { type: 'text', text: 'Done.' },
      { type: 'image', data: pixels(n), mimeType: 'image/png' },
    ]),
  ),
  each('reads pages, answered by "Done." and structured content', n =>
    call(
      'read_page',
      { topic: word(n) },
      {
        content: [{ type: 'text', text: 'Done.' }],
        structuredContent: { title: `On ${word(n)}`, about: word(n * 5) },
      },
    ),
  ),
  // Waiting
  each('waits in seconds', () => call('wait', { seconds: 600 }, 'waited')),
  each('sleeps, answered by {"ok":true}', () => call('sleep', { seconds: 60 }, { ok: true })),
  each('sleeps in a shell', () => call('bash', { command: 'sleep 60' }, '')),
  // Records of numbered items
  each('gets one order after the other', n => {
    const order = { order_id: 1_000 + n * 17 }
    const shipped = { status: 'delivered', carrier: 'DHL', warehouse: 'Hamburg' }
    return call('get_order', order, { ...order, ...shipped, items: 2, priority: 'normal' })
  }),
  each('gets one ticket after the other', n => {
    const ticket = { id: 1_000 + n * 17 }
    return call('get_ticket', ticket, { ...ticket, status: 'open' })
  }),
  ...FINDERS.flatMap(tool =>
    FOUND.map(([shown, result]) =>
      each(`${tool} of one order after the other, answered by ${shown}`, n =>
        call(tool, { order_id: 4_000 + n }, result(4_000 + n)),
      ),
    ),
  ),
  // Names that are not found in one place
  each('greps for one name after the other in one folder', n =>
    call('grep', { pattern: word(n), path: 'src', include: '*.ts' }, 'No matches found'),
  ),
  each('greps for one name after the other with the options of a coding agent', n => {
    const options = { output_mode: 'files_with_matches', glob: '**/*.ts' }
    return call('Grep', { pattern: word(n), path: 'src', ...options }, 'No files found')
  }),
  each('greps for one name after the other in a shell', n =>
    call('bash', { command: `grep -rn "${word(n)}" src` }, ''),
  ),
  each('greps for one name after the other, answered by {"exit_code":1}', n =>
    call('bash', { command: `grep -rn ${word(n)} src` }, { stdout: '', stderr: '', exit_code: 1 }),
  ),
  // Questions of a person that differ in a number
  each('a chat about one invoice after the other', n => ({
    message: `Is invoice ${n + 7} paid?`,
    text: 'Yes, it is paid.',
  })),
  each('a chat about one day after the other', n => ({
    message: `What happened on 2026-03-${String(n).padStart(2, '0')}?`,
    text: 'Nothing was reported on this day.',
  })),
  each('a chat about one order after the other', n => ({
    message: `Where is order ${4410 + n * 13}?`,
    text: 'Your order is on its way and will arrive tomorrow.',
  })),
  each('a chat about one row after the other', n => ({
    message: `Row ${n}: 12.${n} EUR, invoice ${400 + n * 7}. Which category?`,
    text: 'This is a regular expense.',
  })),
]

/** A new write, then the same check, which finds nothing. A recorded trace does not tell which tools write. */
export const CHECKED: readonly Shape[] = [
  ...CHECKS.map(([shown, check]) =>
    each(`edits and tests, answered by ${shown}`, n => (n % 2 ? edit(n) : check(n)), 60),
  ),
  each('mails and looks for answers', n =>
    n % 2
      ? call('send', { to: `person-${word(n)}`, text: `About the ${word(n * 5)}` }, { ok: true })
      : call('list_inbox', {}, []),
  ),
  INSTRUCTED,
]
