/** `escapement sql`: tables from a store, and refusals that name what is wrong. */
import { expect, test } from 'vitest'
import { expectRefused, GOOD, newDesks } from './desk.ts'

const newDesk = newDesks()

test('prints the rows of a query as a table or as JSON, and those of a named query', async () => {
  const desk = newDesk()
  desk.file('graph.yaml', GOOD)
  for (const thread of ['one', 'two']) await desk.type('run', 'graph.yaml', '--thread', thread)
  const query = 'SELECT thread, outcome, seq, wake_at FROM threads ORDER BY thread'
  const { code, out, err } = await desk.type('sql', query)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.split('\n').map(line => line.trim().split(/\s+/))).toMatchObject([
    ['thread', 'outcome', 'seq', 'wake_at'],
    ['one', 'success', expect.stringMatching(/^\d+$/), 'null'],
    ['two', 'success', expect.stringMatching(/^\d+$/), 'null'],
    [''],
  ])
  const first = await desk.type('sql', query, '--rows', '1', '--json')
  expect(JSON.parse(first.out)).toMatchObject({
    rows: [['one', 'success', expect.any(Number), null]],
    truncated: true,
  })
  expect(first.err).toMatch(/only the first 1 rows are shown; --rows N shows more/)
  const named = await desk.type('sql', '--named', 'threads by graph and outcome')
  expect(named.out).toMatch(/trial\s+ended\s+success\s+2/)
  expect((await desk.type('sql', "SELECT 1 AS a FROM threads WHERE graph = 'none'")).out).toBe(
    'no rows\n',
  )
})

test('lists the tables, their columns and the named queries', async () => {
  const { code, out } = await newDesk().type('sql', '--schema')
  expect(code).toBe(0)
  expect(out).toMatch(/^threads {2}one line for each thread\n {2}thread\s+its name/)
  expect(out).toContain('--named "Threads that looped"')
})

test('refuses a wrong query with exit code 2', async () => {
  const desk = newDesk()
  desk.file('graph.yaml', GOOD)
  await desk.type('run', 'graph.yaml', '--thread', 'one')
  const hint = /→ escapement sql --schema/
  expectRefused(
    await desk.type('sql', 'DROP TABLE threads'),
    /expected one SELECT, not 'drop'/,
    hint,
  )
  expectRefused(
    await desk.type('sql', 'SELECT tread FROM threads'),
    /SQLite: no such column: tread/,
    hint,
  )
  expectRefused(await desk.type('sql'), /expected either a query or --named NAME/, hint)
  const both = 'expected it without a query'
  expectRefused(await desk.type('sql', 'SELECT thread FROM threads', '--schema'), both)
  expectRefused(await desk.type('sql', '--named', 'Threads by graph', '--schema'), both)
  expectRefused(await desk.type('sql', '--named', 'none'), /expected one of: Threads by graph/)
})

test('reads a query with line separators of Unicode in a text', async () => {
  const desk = newDesk()
  await desk.type('run', desk.file('graph.yaml', GOOD), '--thread', 't')
  const text = 'a\u2028b\u2029c\u0085d\r\ne'
  const { code, out, err } = await desk.type('sql', `SELECT '${text}' AS a`, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toMatchObject({ rows: [[text]] })
})
