/** A write is refused by the form of its answer, whatever its words, and a receipt in a similar form is none. */
import { expect, test } from 'vitest'
import { seenAt } from './loops.ts'

const FORMS: readonly (readonly [name: string, answer: (message: string) => unknown])[] = [
  ['an exception', message => ({ message, stack: `Error: ${message}\n    at f (/srv/a.js:1:2)` })],
  [
    'an exception of a logger',
    message => ({ type: 'Error', message, stack: `Error: ${message}\n    at f (/srv/a.js:1:2)` }),
  ],
  ['a sentence in a list', message => [message]],
  ['a body and its status', message => [{ message }, 403]],
  ['a status and its body', message => [403, { ok: false, message }]],
  ['a status, headers and a body', message => [403, { 'content-type': 'text/plain' }, [message]]],
  ['error-text of the AI SDK', value => ({ type: 'error-text', value })],
  ['error-json of the AI SDK', message => ({ type: 'error-json', value: { message } })],
  [
    'a failed task of A2A',
    text => ({ kind: 'task', status: { state: 'failed', message: { parts: [{ text }] } } }),
  ],
  ['a task of A2A 1.0', () => ({ task: { status: { state: 'TASK_STATE_REJECTED' } } })],
  [
    'a failed message of LangChain',
    content => ({
      ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'ToolMessage'] },
      kwargs: { status: 'error', content, tool_call_id: 'call_1' },
    }),
  ],
  ['errcode and a message', errmsg => ({ errcode: 40_001, errmsg })],
  ['an error with its name', message => ({ error: { name: 'AccessDenied', message } })],
  [
    'a message of a tool with isError',
    content => ({ role: 'tool', tool_call_id: 'c', isError: true, content }),
  ],
  ['an error beside no content', error => ({ tool_call_id: 'c', content: '', error })],
  ['an output that failed', () => ({ call_id: 'c', status: 'failed', output: '' })],
  ['a flag of 0 beside data', () => ({ success: 0, data: { id: 3 } })],
  ['an error without a code', message => ({ id: 7, error: { message, code: null } })],
  ['an error of code 0', message => ({ id: 7, error: { message, code: 0 } })],
  ['a page', message => ({ items: [{ ok: false, message }], next: null })],
  [
    'a cell of Jupyter',
    evalue => ({
      outputs: [
        { output_type: 'stream', name: 'stdout', text: 'saving' },
        { output_type: 'error', ename: 'PermissionError', evalue, traceback: [] },
      ],
    }),
  ],
  [
    'a traceback alone',
    message => ({ traceback: ['Traceback (most recent call last):', message] }),
  ],
  [
    'the lines of a program',
    message => ['Traceback (most recent call last):', `OSError: ${message}`],
  ],
  ['a status of gRPC', details => ({ code: 7, details, metadata: {} })],
  ['a status that is false', message => ({ status: false, message })],
  [
    'a response of WebDAV',
    message =>
      `<d:multistatus xmlns:d="DAV:"><d:response><d:status>HTTP/1.1 423 Locked</d:status><d:error>${message}</d:error></d:response></d:multistatus>`,
  ],
  [
    'structured content behind a sentence',
    message => ({
      content: [{ type: 'text', text: 'The call ended.' }],
      structuredContent: { ok: false, message },
    }),
  ],
]

const MESSAGES = [
  'Permission denied',
  'The document is locked by another user',
  'Error: quota exceeded',
]

const words = 'amber basil cedar dune ember fjord grove heron iris jade'.split(' ')
const draft = (n: number) => `${words[n % 10]} ${words[(n * 7 + 3) % 10]} ${n}`

const savedAt = (answer: (n: number) => unknown) =>
  seenAt({ name: '', lap: n => ({ tool: 'save', args: { text: draft(n) }, result: answer(n) }) })
    ?.lap

test.each(FORMS)('a write that is refused by %s is seen', (_, answer) => {
  for (const message of MESSAGES)
    for (const result of [answer(message), JSON.stringify(answer(message))])
      expect(savedAt(() => result)).toBeLessThanOrEqual(6)
})

const RECEIPTS: readonly (readonly [name: string, answer: (n: number) => unknown])[] = [
  ['a stored exception', n => ({ id: n, message: 'Boom', stack: 'Error: Boom\n  at f (a.js:1)' })],
  ['a sentence in a list', () => ['Saved the note']],
  ['the name of a file in a list', n => [`${words[n % 10]}-failed-${n}.txt`]],
  ['a body and its status', n => [{ id: n }, 201]],
  ['a record and its price', n => [{ sku: `s${n}` }, 400 + ((n * 7) % 9) * 10 + 6]],
  ['a name and a price', () => ['widget', 500]],
  ['a record and a price', () => [{ sku: 'a' }, 500]],
  ['the stack of a deployment', () => ({ stack: 'prod', message: 'Deployed', status: 'ok' })],
  ['no stack', () => ({ stack: null, message: 'saved' })],
  ['Ok of Rust', () => ({ Ok: null })],
  ['a zero with a sign', () => ({ exit_code: '+0', stdout: '' })],
  ['the echo of a ticket', n => ({ parent: null, subject: `Cannot log in ${n}` })],
  ['numbers', n => [400 + n, 500 + n]],
  ['json of the AI SDK', n => ({ type: 'json', value: { id: n, saved: true } })],
  ['errcode 0 and a message', n => ({ errcode: 0, errmsg: 'ok', msgid: `m${n}` })],
  ['errcode 0 alone', () => ({ errcode: 0, errmsg: 'created' })],
  ['errorCode 0', n => ({ errorCode: 0, errorMessage: 'Success', id: `${n}` })],
  ['errorCode NO_ERROR', () => ({ errorCode: 'NO_ERROR' })],
  ['errMsg of a mini program', () => ({ errMsg: 'request:ok' })],
  ['the error OK', () => ({ error: 'OK' })],
  ['the error no', () => ({ error: 'no' })],
  ['hasErrors as a text', () => ({ HasErrors: 'false' })],
  [
    'an error that is none',
    n => ({ id: n, error: { groupName: 'OK', id: 0, name: 'NO_ERROR', description: 'No Error' } }),
  ],
  [
    'a receipt beside an image',
    n => [
      { type: 'text', text: 'Saved.' },
      { type: 'image', data: `a${n}` },
    ],
  ],
  ['the lines of a program', n => ['$ save', `wrote ${words[n % 10]}-${n}.txt`]],
  ['names of pages', n => ['Access denied page', `Failed payments ${words[n % 10]}`]],
  ['the stack of a deployment alone', n => ({ stack: [`web-${words[n % 10]}`, 'db'] })],
  ['a switch that is off', n => ({ status: false, message: `Lamp ${words[n % 10]} is off` })],
  ['a status of a type', n => ({ status: false, type: 'lamp', name: words[n % 10] })],
  [
    'fields of a form',
    n => [
      { type: 'text', text: 'Invalid value' },
      { type: 'select', name: `${words[n % 10]}-${n}` },
    ],
  ],
  [
    'a success with the code 1',
    n => ({ code: 1, details: `Saved ${words[n % 10]}`, metadata: {} }),
  ],
  ['the state of a switch', n => ({ status: false, device: `lamp-${n}` })],
  [
    'a record that MongoDB inserted',
    n => ({
      acknowledged: true,
      modifiedCount: 0,
      matchedCount: 0,
      upsertedCount: 1,
      upsertedId: `65a5${n}`,
    }),
  ],
  ['cells that ran', n => ({ outputs: [{ output_type: 'stream', name: 'stdout', text: `${n}` }] })],
  ['a code of 1 and details', n => ({ code: 1, message: 'success', details: { id: n } })],
  [
    'a response of WebDAV with a saved property',
    () =>
      '<d:multistatus xmlns:d="DAV:"><d:status>HTTP/1.1 415 Type</d:status><d:status>HTTP/1.1 200 OK</d:status></d:multistatus>',
  ],
  ['a completed task of A2A', n => ({ kind: 'task', id: `t${n}`, status: { state: 'completed' } })],
]

test.each(RECEIPTS)('a write that is answered by %s is not', (_, answer) => {
  expect(savedAt(answer)).toBeUndefined()
  expect(savedAt(n => JSON.stringify(answer(n)))).toBeUndefined()
})
