/** Adapts tools of servers with the Model Context Protocol. It uses the client by its structure and imports no package. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import { patternsFault } from '../../core/watch/data/pattern-total.ts'
import { thrownText } from '../../core/watch/failure/thrown-text.ts'
import { type ForeignTool, foreignTools, type ToolSettingsByName } from '../../kit/foreign-tool.ts'
import type { JsonSchema } from '../../kit/schema.ts'
import type { Calling, Tool } from '../../runtime/ports.ts'

/** The used part of `Client` of `@modelcontextprotocol/client`. */
export interface McpClient {
  listTools(): Promise<{ readonly tools: readonly McpTool[] }>
  callTool(
    request: { name: string; arguments?: Record<string, unknown> },
    options?: { signal?: AbortSignal; timeout?: number; onprogress?: () => void },
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

/** The server called the tool, and the tool reported an error: in its result, or with a code that may be its own. */
export class McpToolError extends codedError('McpToolError', 'mcp-tool-error') {}

/** Whether an error was reported by a tool of an MCP server. */
export const isMcpToolError = guardOf(McpToolError)

/**
 * Lists the tools of a server once and adapts them. `readOnlyHint` declares a read, `idempotentHint` an idempotent write. Without
 * hints, a tool counts as a write. Settings replace the hints, because hints are claims of the server.
 *
 * Pass a function that connects: the next attempt after a lost connection calls it again.
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
    const connection = await connected()
    let hasBegun = false
    // The client also reports each request with which it continues the call after a question of the server.
    const onprogress = () => {
      hasBegun = true
    }
    try {
      const request = { name, arguments: args as Record<string, unknown> }
      const options = { signal, timeout: TIMEOUT, onprogress }
      return resultOf(name, await connection.callTool(request, options))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (LOST.includes(codeOf(error))) client = undefined
      throw withFacts(error, hasBegun)
    }
  }
  const schemas = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]))
  // Each schema may have as many as a spec.
  const large = patternsFault(schemas)
  if (large) throw new TypeError(`the tools of the server: \`${large.path}\`: ${large.message}`)
  const foreign = tools.map(({ name, description, inputSchema, annotations }): ForeignTool => {
    const { readOnlyHint: reads, idempotentHint } = annotations ?? {}
    return {
      name,
      description,
      inputSchema: inputSchema as JsonSchema,
      effects: reads ? 'read' : 'write',
      ...(idempotentHint && !reads ? { idempotent: true } : {}),
      execute: (args, call) => execute(name, args, call),
    }
  })
  return foreignTools(foreign, settings)
}

/** The timeout of the client, in ms. The timeout of the tool is shorter and ends the call first. */
const TIMEOUT = 86_400_000

/** @throws McpToolError */
function resultOf(name: string, { content = [], structuredContent, isError }: McpResult): unknown {
  const text = content.flatMap(part => (typeof part.text === 'string' ? part.text : [])).join('\n')
  if (isError) throw new McpToolError(text || `the tool '${name}' reported an error without a text`)
  if (structuredContent !== undefined) return structuredContent
  return content.every(({ type }) => type === 'text') ? text : content
}

/** Codes of the client for a lost connection. */
const LOST: readonly unknown[] = ['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED']

/** Codes of JSON-RPC. */
const BAD_REQUESTS: readonly unknown[] = [-32_600, -32_601, -32_602]
const INTERNAL_ERROR = -32_603

/** The one refusal that is certainly of this call. Any other bad request may be one that the tool has made after its effect. */
const WRONG_ARGUMENTS = /\bInvalid arguments for tool\b/

/** Adds the facts that the classifier needs. A lost connection is a transient failure of the resource. Once the tool has begun, no failure proves a refusal. */
function withFacts(error: unknown, hasBegun: boolean): unknown {
  const code = codeOf(error)
  if (code === 'NOT_CONNECTED' && !hasBegun) return disconnected(error)
  if (isReported(error)) return new McpToolError(thrownText(error))
  if (LOST.includes(code))
    return Object.assign(new Error(thrownText(error), { cause: error }), { code: 'ECONNRESET' })
  if (!(error instanceof Error)) return error
  if (isUnread(error)) return Object.assign(error, { status: 200 })
  if (code === INTERNAL_ERROR) return Object.assign(error, { status: 500 })
  if (hasBegun)
    return Object.assign(new Error(`the call had begun: ${error.message}`, { cause: error }), {
      status: 200,
    })
  if (!BAD_REQUESTS.includes(code)) return error
  const isRefused = WRONG_ARGUMENTS.test(error.message)
  return isRefused ? Object.assign(error, { status: 400 }) : new McpToolError(error.message)
}

/** The tool has worked, and its result does not fit its schema or the protocol. The SDK uses the codes of bad requests for this, too. */
const isUnread = (error: unknown): boolean =>
  /\b(structured content|output schema|call result)\b/i.test(thrownText(error))

/** JSON-RPC reserves the codes up to -32000. The others are those of the tool, such as a status of another service. */
const isReported = (error: unknown): boolean =>
  error instanceof Error &&
  /^(Protocol|Mcp)Error$/.test(error.name) &&
  Number(codeOf(error)) > -32_000

/** The call did not start. */
function disconnected(error: unknown): Error {
  const message = `the MCP server is not connected: ${thrownText(error)}`
  return Object.assign(new Error(message, { cause: error }), { code: 'ECONNREFUSED' })
}

/** The error of a closed transport has no code. A server may pass on the same words of a connection of its own. */
function codeOf(error: unknown): unknown {
  const code = (error as { code?: unknown } | undefined)?.code
  return code === undefined && thrownText(error) === 'Not connected' ? 'NOT_CONNECTED' : code
}
