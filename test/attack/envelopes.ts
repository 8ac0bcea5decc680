/** What protocols, clients and frameworks put around the answer of a tool. */
import type { Json } from '../../src/core/watch/data/json.ts'

interface Given {
  readonly value: Json
  readonly text: string
  readonly lap: number
}

type Envelope = (given: Given) => unknown

/** Around any answer. */
export const MESSAGES: Readonly<Record<string, Envelope>> = {
  'a result of MCP': ({ text }) => ({ content: [{ type: 'text', text }] }),
  'a message of OpenAI': ({ text, lap }) => ({
    ...{ role: 'tool', tool_call_id: `call_${lap}`, content: text },
  }),
  'a block with its cache': ({ text }) => [
    { type: 'text', text, cache_control: { type: 'ephemeral' } },
  ],
  'a block of OpenAI': ({ text, lap }) => ({
    ...{ type: 'function_call_output', call_id: `call_${lap}` },
    output: [{ type: 'input_text', text }],
  }),
  'blocks of the AI SDK': ({ text }) => ({ type: 'content', value: [{ type: 'text', text }] }),
  'an output of OpenAI': ({ text, lap }) => ({
    ...{ type: 'function_call_output', call_id: `call_${lap}`, output: text },
  }),
  'a result of Anthropic': ({ text, lap }) => ({
    ...{ type: 'tool_result', tool_use_id: `toolu_${lap}`, content: text },
  }),
  'a message of LangChain': ({ text, lap }) => ({
    ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'ToolMessage'] },
    kwargs: { content: text, tool_call_id: `call_${lap}`, name: 't', response_metadata: {} },
  }),
}

/** Around a record or a list. */
export const RECORDS: Readonly<Record<string, Envelope>> = {
  ...MESSAGES,
  'structured content': ({ text, value }) => ({
    content: [{ type: 'text', text }],
    ...(!Array.isArray(value) && { structuredContent: value }),
  }),
  '{"result":…}': ({ value }) => ({ result: value }),
  '{"data":…}': ({ value }) => ({ data: value }),
  '{"body":…}': ({ value }) => ({ body: value }),
  '{"ok":true,"result":…}': ({ value }) => ({ ok: true, result: value }),
  '{"status":200,"body":…}': ({ value }) => ({ status: 200, body: value }),
  'a response with headers and a text': ({ text }) => ({
    ...{ status: 200, headers: { 'content-type': 'application/json' }, body: text },
  }),
  'a response of axios': ({ value }) => ({
    ...{ status: 200, statusText: 'OK', headers: {}, data: value },
  }),
  'JSON-RPC': ({ value, lap }) => ({ jsonrpc: '2.0', id: lap + 100, result: value }),
  'an output of the AI SDK': ({ value }) => ({ type: 'json', value }),
  'a result of the AI SDK': ({ value, lap }) => ({
    ...{ type: 'tool-result', toolCallId: `call_${lap}`, toolName: 't' },
    output: { type: 'json', value },
  }),
  'a result of Bedrock': ({ value, lap }) => ({
    toolResult: { toolUseId: `u${lap}`, content: [{ json: value }], status: 'success' },
  }),
  superjson: ({ value }) => ({ json: value, meta: { values: {} } }),
  tRPC: ({ value }) => ({ result: { data: { json: value, meta: { values: {} } } } }),
  '{"data":…,"errors":null}': ({ value }) => ({ data: value, errors: null }),
  'an element': ({ text }) => `<result>${text}</result>`,
  'an element with CDATA': ({ text }) => `<result><![CDATA[${text}]]></result>`,
  JSONP: ({ text }) => `done(${text});`,
}
