/** Tools of a server that speaks the Model Context Protocol, as ours. The client is used by its structure: no package is imported. */
import { type ForeignTool, foreignTools, type ToolSettingsByName } from '../../kit/foreign-tool.ts'
import type { JsonSchema } from '../../kit/schema.ts'
import type { Calling, Tool } from '../../runtime/ports.ts'

/** What is used of `Client` of `@modelcontextprotocol/client`. */
export interface McpClient {
  listTools(): Promise<{ readonly tools: readonly McpTool[] }>
  callTool(
    request: { name: string; arguments?: Record<string, unknown> },
    options?: { signal?: AbortSignal; timeout?: number },
  ): Promise<McpResult>
}

/** A tool as its server lists it. */
export interface McpTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined
}

interface McpResult {
  readonly content?: readonly { readonly type: string; readonly text?: unknown }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

/** The server ran the tool, and the tool reported an error. */
export class McpToolError extends Error {
  override readonly name = 'McpToolError'
  readonly code = 'mcp-tool-error'
}

/** Whether an error is the report of a tool of an MCP server. */
export function isMcpToolError(error: unknown): error is McpToolError {
  return error instanceof McpToolError
}

/**
 * Lists the tools of a server once, and makes tools of them. `readOnlyHint` makes a read, `idempotentHint` an idempotent write;
 * without hints a tool counts as a write. Settings replace the hints, which are claims of the server.
 *
 * Give a function that connects, and a lost connection is replaced at the next attempt.
 *
 * @example
 * const tools = await mcpTools(client, { search: { effects: 'read', timeout: 10_000 } })
 */
export async function mcpTools(
  server: McpClient | (() => Promise<McpClient>),
  settings: ToolSettingsByName = {},
): Promise<Record<string, Tool>> {
  let client: Promise<McpClient> | undefined
  const connected = () => {
    if (typeof server !== 'function') return Promise.resolve(server)
    client ??= server().catch(error => {
      client = undefined
      throw disconnected(error)
    })
    return client
  }
  const { tools } = await (await connected()).listTools()
  const execute = async (name: string, args: unknown, { signal }: Calling) => {
    const used = await connected()
    try {
      const request = { name, arguments: args as Record<string, unknown> }
      return resultOf(name, await used.callTool(request, { signal, timeout: PATIENCE }))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (LOST.includes(codeOf(error))) client = undefined
      throw withFacts(error)
    }
  }
  return foreignTools(
    tools.map(tool => foreign(tool, execute)),
    settings,
  )
}

/** The timeout of the client, in ms. The tool has a timeout of its own, which ends the call before. */
const PATIENCE = 86_400_000

type Execute = (name: string, args: unknown, call: Calling) => Promise<unknown>

function foreign(
  { name, description, inputSchema, annotations }: McpTool,
  execute: Execute,
): ForeignTool {
  const { readOnlyHint: reads, idempotentHint } = annotations ?? {}
  return {
    name,
    description,
    inputSchema: inputSchema as JsonSchema,
    effects: reads ? 'read' : 'write',
    ...(idempotentHint && !reads ? { idempotent: true } : {}),
    execute: (args, call) => execute(name, args, call),
  }
}

/** @throws McpToolError */
function resultOf(name: string, { content = [], structuredContent, isError }: McpResult): unknown {
  const text = content.flatMap(part => (typeof part.text === 'string' ? part.text : [])).join('\n')
  if (isError) throw new McpToolError(text || `the tool '${name}' reported an error without a text`)
  if (structuredContent !== undefined) return structuredContent
  return content.every(({ type }) => type === 'text') ? text : content
}

/** Codes of the client for a server that is gone. */
const LOST: readonly unknown[] = ['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED']

/** Codes of JSON-RPC as the statuses that the classifier knows. */
const STATUS: Readonly<Record<string, number>> = {
  '-32600': 400,
  '-32601': 404,
  '-32602': 400,
  '-32603': 500,
}

/** The error with what the classifier needs: a lost server is a failure of the resource that passes. */
function withFacts(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'NOT_CONNECTED') return disconnected(error)
  if (LOST.includes(code))
    return Object.assign(new Error(messageOf(error), { cause: error }), { code: 'ECONNRESET' })
  const status = typeof code === 'number' ? STATUS[code] : undefined
  return status !== undefined && error instanceof Error ? Object.assign(error, { status }) : error
}

/** The call has not begun. */
function disconnected(error: unknown): Error {
  const message = `the MCP server is not connected: ${messageOf(error)}`
  return Object.assign(new Error(message, { cause: error }), { code: 'ECONNREFUSED' })
}

/** A transport that is closed says so in words only. */
function codeOf(error: unknown): unknown {
  if (messageOf(error) === 'Not connected') return 'NOT_CONNECTED'
  return (error as { code?: unknown } | undefined)?.code
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
