/** The audit log: who did what, for every request that changes something, by each protocol. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { asking } from '../host/graphs.ts'
import { askingThread, type Served, service } from './service.ts'

type Line = Readonly<Record<string, string | number | undefined>>

/** A service, and the lines of its audit log without time, author and address. */
async function audited(options: object = {}) {
  const lines: Line[] = []
  const of = await service({ log: line => void lines.push(line), ...options })
  const actions = () =>
    lines.splice(0).map(({ at: _, who: __, role: ___, address: ____, ...action }) => action)
  return { ...of, actions }
}

const start = { graph: 'asking', input: { goal: 'g' } }
const command = (of: Served, body: object, thread = 'one') =>
  of.send('POST', `/v1/threads/${thread}/commands`, body)

test('starts, commands and imports name thread, graph, command, question and fork', async () => {
  const of = await audited()
  const { state } = await askingThread(of)
  const { body } = await of.send('POST', '/v1/threads', start)
  await command(of, { do: 'inject', kind: 'tool', name: 'work' })
  await command(of, { do: 'fork', effects: 'refuse', as: 'two' })
  await command(of, { do: 'dismiss', finding: 'f' })
  await command(of, { do: 'answer', question: state.questions[0].id, decision: 'approved' })
  const { text } = await of.send('GET', '/v1/threads/one/export')
  const ndjson = { headers: { 'content-type': 'application/x-ndjson' } }
  await of.send('POST', '/v1/import?as=three', text, ndjson)
  expect(of.actions()).toEqual([
    { audit: 'startThread', status: 201, thread: 'one', graph: 'asking' },
    { audit: 'startThread', status: 201, thread: body.thread, graph: 'asking' },
    { audit: 'command', status: 200, thread: 'one', do: 'inject', kind: 'tool', name: 'work' },
    { audit: 'command', status: 200, thread: 'one', do: 'fork', fork: 'two' },
    {
      ...{ audit: 'command', status: 409, code: 'unknown-finding' },
      ...{ thread: 'one', do: 'dismiss', finding: 'f' },
    },
    {
      ...{ audit: 'command', status: 200, thread: 'one' },
      ...{ do: 'answer', question: 'ask#1', decision: 'approved' },
    },
    { audit: 'importThread', status: 201, thread: 'three' },
  ])
})

test('breakers, breakpoints and scopes are named', async () => {
  const of = await audited()
  const resource = 'asking/tool:work'
  await of.send('POST', `/v1/breakers/${encodeURIComponent(resource)}/commands`, { do: 'open' })
  await of.send('POST', '/v1/breakpoints', { do: 'set', graph: 'asking', node: 'work' })
  await of.send('POST', '/v1/scopes/release', { scope: 'job', key: '7' })
  await of.send('POST', '/v1/scopes/release', { scope: 'job' })
  expect(of.actions()).toEqual([
    { audit: 'breaker', status: 200, do: 'open', resource },
    { audit: 'changeBreakpoint', status: 200, do: 'set', graph: 'asking', node: 'work' },
    { audit: 'releaseScope', status: 404, code: 'unknown-scope', scope: 'job', key: '7' },
    { audit: 'releaseScope', status: 422, code: 'invalid-request' },
  ])
})

test('messages and answers of chats name thread, graph, question and decision, and the code of a refusal', async () => {
  const of = await audited({ graphs: [asking()] })
  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'g' }] }
  await of.send('POST', '/chat', { id: 'one', messages: [message] })
  const approval = { id: 'ask#1', approved: false }
  const part = { type: 'tool-question', state: 'approval-responded', approval }
  const answer = { id: 'a', role: 'assistant', parts: [part] }
  await of.send('POST', '/chat', { id: 'one', messages: [message, answer] })
  const run = { runId: 'r', tools: [], context: [] }
  const said = [{ id: 'm', role: 'user', content: 'g' }]
  await of.send('POST', '/ag-ui', { ...run, threadId: 'two', messages: said })
  const resume = [{ interruptId: 'ask#1', status: 'resolved', payload: true }]
  const resumed = { ...run, threadId: 'two', messages: [] }
  await of.send('POST', '/ag-ui', { ...resumed, resume })
  await of.send('POST', '/ag-ui', { ...resumed, resume })
  expect(of.actions()).toEqual([
    { audit: 'chat', status: 200, thread: 'one', do: 'start', graph: 'asking' },
    {
      ...{ audit: 'chat', status: 200, thread: 'one' },
      ...{ do: 'answer', question: 'ask#1', decision: 'rejected' },
    },
    { audit: 'agUi', status: 200, thread: 'two', do: 'start', graph: 'asking' },
    {
      ...{ audit: 'agUi', status: 200, thread: 'two' },
      ...{ do: 'answer', question: 'ask#1', decision: 'approved' },
    },
    { audit: 'agUi', status: 200, thread: 'two', code: 'question-closed' },
  ])
})

test('LangGraph commands name what they do, and reads leave no line', async () => {
  const of = await audited({ graphs: [asking()] })
  const path = '/langgraph/threads/one'
  const send = (method: string, params: object) =>
    of.send('POST', `${path}/commands`, { id: 1, method, params })
  await of.send('POST', '/langgraph/threads', { thread_id: 'one' })
  await send('run.start', { assistant_id: 'asking', input: { goal: 'g' } })
  while ((await of.runtime.thread('one').state()).questions.length === 0)
    await new Promise(resolve => setTimeout(resolve, 5))
  await of.send('POST', `${path}/history`, { limit: 1 })
  await send('input.respond', { interrupt_id: 'other', response: true })
  await send('input.respond', { interrupt_id: 'ask#1', response: true })
  await of.send('POST', `${path}/runs/0/cancel`, {})
  expect(of.actions()).toEqual([
    { audit: 'langGraphCreate', status: 200, thread: 'one' },
    { audit: 'langGraphCommand', status: 200, thread: 'one', do: 'start', graph: 'asking' },
    { audit: 'langGraphCommand', status: 200, thread: 'one', code: 'question-closed' },
    {
      ...{ audit: 'langGraphCommand', status: 200, thread: 'one' },
      ...{ do: 'answer', question: 'ask#1', decision: 'approved' },
    },
    { audit: 'langGraphCancel', status: 204, thread: 'one', run: '0', do: 'cancel' },
  ])
})

test('writes of MCP name tool and thread, and its reads leave no line', async () => {
  const of = await audited({ mcp: { allowWrites: true } })
  await askingThread(of)
  of.actions()
  const client = new Client({ name: 'coder', version: '1' })
  const requestInit = { headers: { authorization: 'Bearer key-operate' } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${of.url}/mcp`), { requestInit }))
  await client.listTools()
  await client.callTool({ name: 'show', arguments: { thread: 'one' } })
  expect(of.actions()).toEqual([])
  const fork = { thread: 'one', effects: 'refuse', as: 'two' }
  await client.callTool({ name: 'fork', arguments: fork })
  await client.callTool({ name: 'fork', arguments: { ...fork, at: 0 } })
  const answer = { thread: 'one', question: 'ask#1', decision: 'approved' }
  await client.callTool({ name: 'answer', arguments: answer })
  await client.close()
  expect(of.actions()).toEqual([
    { audit: 'mcp', status: 200, tool: 'fork', thread: 'one', do: 'fork', fork: 'two' },
    {
      ...{ audit: 'mcp', status: 200, tool: 'fork', thread: 'one', do: 'fork' },
      ...{ event: 0, fork: 'two', code: 'thread-exists' },
    },
    { audit: 'mcp', status: 200, tool: 'answer', ...answer, do: 'answer' },
  ])
})
