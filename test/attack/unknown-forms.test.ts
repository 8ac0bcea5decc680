/** A write is refused by a sentence in a record of any form. A receipt of such a form, and a record that was stored, are not refusals. */
import { expect, test } from 'vitest'
import { seenAt } from './loops.ts'

const words = 'amber basil cedar dune ember fjord grove heron iris jade'.split(' ')
const draft = (n: number) => `${words[n % 10]} ${words[(n * 7 + 3) % 10]} ${n}`

const uuid = (n: number) => `3f2a9c1e-7b4d-4e8a-9f10-5c6d7e8f${1000 + n}`

const seen = (
  answer: (n: number) => unknown,
  { tool = 'save', arg = 'text', value = draft } = {},
) => seenAt({ name: '', lap: n => ({ tool, args: { [arg]: value(n) }, result: answer(n) }) })?.lap

const FORMS: readonly (readonly [name: string, answer: (message: string) => unknown])[] = [
  ['retCode and retMsg', retMsg => ({ retCode: 10_001, retMsg, result: {} })],
  ['ret and msg', msg => ({ ret: -1, msg, data: null })],
  ['status_code and status_message', text => ({ status_code: 34, status_message: text })],
  [
    'a header with its status',
    text => ({ header: { status: 'NG', statusText: text }, body: null }),
  ],
  ['meta with a code', msg => ({ meta: { code: 40_403, msg }, response: {} })],
  ['RETURN of SAP', MESSAGE => ({ RETURN: [{ TYPE: 'E', ID: 'V1', NUMBER: '302', MESSAGE }] })],
  [
    'an OperationOutcome of FHIR',
    diagnostics => ({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'processing', diagnostics }],
    }),
  ],
  ['Snowflake', message => ({ data: { type: 'x', age: 0 }, code: '000625', message })],
  ['a call error of OCPP', text => [4, 'a81f', 'SecurityError', text, {}]],
  ['an error of WAMP', text => [8, 48, 7814, {}, 'app.error.rejected', [text]]],
  [
    'a reply of Phoenix',
    reason => ['1', '2', 'room:1', 'phx_reply', { status: 'error', response: { reason } }],
  ],
  ['JMAP', description => ({ notCreated: { k1: { type: 'overQuota', description } } })],
  ['an exception of CDP', text => ({ exceptionDetails: { exceptionId: 1, text, lineNumber: 0 } })],
  ['a line of npm in a list', text => [`npm ERR! ${text}`]],
]
const MESSAGES = ['Permission denied', 'The document is locked by another user', 'Order not found']

test.each(FORMS)('a write that %s refuses is seen', (_, answer) => {
  for (const message of MESSAGES)
    for (const result of [answer(message), JSON.stringify(answer(message))])
      expect(seen(() => result)).toBeLessThanOrEqual(8)
})

test.each<readonly [string, unknown]>([
  [
    'MongoDB',
    {
      acknowledged: true,
      insertedId: null,
      matchedCount: 0,
      modifiedCount: 0,
      upsertedCount: 0,
    },
  ],
  ['findAndModify', { lastErrorObject: { n: 0, updatedExisting: false }, value: null, ok: 1 }],
  ['Postgres', { command: 'UPDATE', rowCount: 0, oid: null, rows: [], fields: [] }],
  [
    'MySQL',
    { fieldCount: 0, affectedRows: 0, insertId: 0, serverStatus: 2, info: 'Rows matched: 0' },
  ],
])('updates of %s that change no rows are seen', (_, answer) => {
  expect(seen(() => answer)).toBeLessThanOrEqual(8)
})

test.each<readonly [string, unknown]>([
  ['Postgres', { command: 'DELETE', rowCount: 0, oid: null, rows: [], fields: [] }],
  ['MongoDB', { acknowledged: true, deletedCount: 0 }],
  ['MySQL', { fieldCount: 0, affectedRows: 0, insertId: 0, info: '', serverStatus: 2 }],
  ['Elasticsearch', { took: 3, total: 0, deleted: 0, updated: 0, failures: [] }],
  ['a synchronization', { updated: 0, created: 0, deleted: 0 }],
])('clean-ups of %s that find no rows are not', (_, answer) => {
  expect(seen(() => answer)).toBeUndefined()
})

test('updates of rows that changed before are not refused', () => {
  const answer = { acknowledged: true, matchedCount: 1, modifiedCount: 0, upsertedId: null }
  expect(seen(() => answer)).toBeUndefined()
})

test('an order that is refused in a word of the call is seen', () => {
  const of = { tool: 'save', arg: 'order', value: (n: number) => `A-${n * 37}` }
  expect(seen(() => ({ retCode: 10_001, retMsg: 'Order not found' }), of)).toBeLessThanOrEqual(8)
  const path = { tool: 'save', arg: 'call', value: (n: number) => `POST order ${n * 37}` }
  expect(seen(() => ({ retCode: 10_001, retMsg: 'Order not found' }), path)).toBeLessThanOrEqual(8)
})

test.each<readonly [string, string]>([
  ['Roo Code', 'error_details'],
  ['Claude Code', 'tool_use_error'],
])('edits that an element of %s refuses are seen', (_, name) => {
  const answer = (n: number) =>
    `Unable to apply diff to file: a.ts\n\n<${name}>\nNo sufficiently similar match found at line: 42 (${60 + (n % 37)}% similar, needs 100%)\n\nDebug Info:\n- Similarity Score: ${60 + (n % 37)}%\n\nSearch Content:\n${draft(n)}\n\nBest Match Found:\n${draft(n * 3 + 1)} part${n * 17}\n</${name}>`
  expect(seen(answer)).toBeLessThanOrEqual(8)
})

test.each([
  '<no_error>saved</no_error>',
  '<last_error>none</last_error>',
  'Wrote file.\n<error_output>warning: CRLF</error_output>',
])('%s is not refused by the name of its element', answer => {
  expect(seen(() => answer)).toBeUndefined()
})

test('a refusal beside what it took is the same refusal', () => {
  const execution = (n: number) => ({
    State: 'FAILED',
    StateChangeReason: "Column 'x' cannot be resolved",
    Statistics: { EngineExecutionTimeInMillis: 120 + ((n * 37) % 91) },
  })
  expect(seen(execution)).toBeLessThanOrEqual(8)
})

test.each<readonly [string, (n: number) => unknown]>([
  [
    'what cannot be undone',
    () => ({ queued: 1, note: 'Mails cannot be recalled', status: 'queued' }),
  ],
  ['warnings of Docker', () => ({ Warnings: ['unable to pin image app:2: image not found'] })],
  ['a kernel without swap', () => ({ Warnings: ['Your kernel does not support swap limits.'] })],
  [
    'what a program prints in a sandbox',
    () => ({ results: [], logs: { stdout: [], stderr: ['Could not find cuda drivers.'] } }),
  ],
  ['what will not happen', n => ({ cancel_at: n, message: 'The plan will not renew.' })],
  ['a policy', () => ({ eta: 3, policy: 'Sale items cannot be returned.' })],
  ['a default', () => ({ default_plan: 'free', info: 'Trials are not available twice.' })],
  ['a flag that is true', () => ({ sent: true, hint: 'Replies are not possible' })],
  [
    'nothing that failed',
    () => ({ eta: 'Friday', message: 'Delivery on Sundays is not available' }),
  ],
  ['terms beside a code', () => ({ country_code: 'FR', terms: 'Late payments are not accepted' })],
  ['a flag beside failures', () => ({ sent: true, failed: 2, detail: 'Replies are not possible' })],
  ['a code of 0', () => ({ ret: 0, msg: 'No stock left' })],
  ['a status of 202', () => ({ status_code: 202, info: 'Delivery is not available on Sundays' })],
  ['what was written', n => ({ note: { author: 'bot', content: draft(n) } })],
  ['a state', () => ({ ticket: { state: 'open', subject: 'Cannot log in' } })],
  ['terms beside a generated id', n => ({ id: uuid(n), terms: 'Late payments are not accepted' })],
  ['terms', n => ({ invoice: `INV-${1000 + n * 7}`, terms: 'Late payments are not accepted' })],
])('a write that is answered by %s is not', (_, answer) => {
  expect(seen(answer)).toBeUndefined()
  expect(seen(n => JSON.stringify(answer(n)))).toBeUndefined()
})

test('alerts with one text that are acknowledged one after the other are not refused', () => {
  const alert = (n: number) => ({ alert: { id: 1000 + n * 7, message: 'Disk is full' } })
  const of = { tool: 'acknowledge_alert', arg: 'id', value: (n: number) => `${1000 + n * 7}` }
  expect(seen(alert, of)).toBeUndefined()
})

test('tickets that are stored with the words of the call are not refused', () => {
  const ticket = (n: number) => ({ assignee: 'bo', labels: [], problem: `${draft(n)} fails` })
  const of = { tool: 'file_ticket', arg: 'what', value: (n: number) => `${draft(n)} fails` }
  expect(seen(ticket, of)).toBeUndefined()
})
