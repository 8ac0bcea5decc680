/** Servers with the Model Context Protocol that ask for input in the middle of a call: the client answers with another request. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { leavesDoubt } from '../../src/core/watch/failure/doubt.ts'
import { mcpTools } from '../../src/mcp.ts'
import { fakeCall } from '../kit/fake.ts'
import { failure } from '../suites/model.ts'

/** A client of a server that books, and then asks. */
async function bankOf(answerTo: (request: Request) => Response | undefined) {
  const bank = { booked: 0 }
  const form = { message: 'Send the receipt?', requestedSchema: { type: 'object', properties: {} } }
  const serve = () => {
    const server = new McpServer({ name: 'bank', version: '1.0.0' })
    server.registerTool('pay', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
      if (mcpReq.inputResponses !== undefined) return { content: [{ type: 'text', text: 'paid' }] }
      bank.booked++
      return inputRequired({
        inputRequests: { ask: inputRequired.elicit(form as never) },
        requestState: 'booked',
      })
    })
    return server
  }
  const handler = createMcpHandler(serve, { legacy: 'reject' })
  const url = new URL('http://localhost/mcp')
  const fetch = async (_: URL | string, init?: RequestInit) => {
    const request = new Request(url, init)
    const isLater = String(init?.body).includes('inputResponses')
    return (isLater && answerTo(request)) || handler.fetch(request)
  }
  const capabilities = { elicitation: {} }
  const options = { capabilities, versionNegotiation: { mode: 'auto' } } as const
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: {} }))
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }))
  onTestFinished(() => client.close())
  const { pay } = await mcpTools(client)
  return { bank, paid: async () => pay?.execute(pay.parse({}), fakeCall()) }
}

test('the answer of the last request is the answer of the call', async () => {
  const { bank, paid } = await bankOf(() => undefined)
  expect(await paid()).toBe('paid')
  expect(bank.booked).toBe(1)
})

test('a write leaves doubt if a later request is refused', async () => {
  const { bank, paid } = await bankOf(() => new Response('', { status: 429 }))
  const { facts, class: failureClass, rule } = await failure(paid())
  expect(leavesDoubt({ ...facts, class: failureClass, scope: 'request', rule })).toBe(true)
  expect(bank.booked).toBe(1)
})
