/** MCP over HTTP, without sessions: tools and journals for coding agents that debug a stuck agent. */
import { VERSION } from '../../../../core/watch/parts.ts'
import type { Runtime } from '../../../../host/runtime.ts'
import { hasRole } from '../../access/access.ts'
import { Refused } from '../../contract/problem.ts'
import type { CommandContext } from '../../endpoints/commands.ts'
import type { Handlers, Service } from '../../endpoints/handler.ts'
import { type McpTool, toolsFor } from './tools.ts'

/** What MCP clients may do. */
export interface McpOptions {
  /** Offers the tools `fork`, `answer` and `inject` to callers with the role `operate`. Default: false. */
  readonly allowWrites?: boolean
}

export const mcp = ({ allowWrites = false }: McpOptions): Handlers<'mcp'> => ({
  async mcp({ runtime, request, body, caller, report, drive, audit }) {
    const sdk = await serverPackage()
    const mayWrite = allowWrites && hasRole(caller, 'operate')
    const handler = sdk.createMcpHandler(() =>
      serverOf(sdk, { runtime, caller, report, drive, audit }, toolsFor(mayWrite)),
    )
    const response = await handler.fetch(request, { parsedBody: body })
    // The audit log has the end of each tool.
    return response.body ? new Response(await response.text(), response) : response
  },
})

type Sdk = typeof import('@modelcontextprotocol/server')

/** @throws Refused if the optional package is missing */
async function serverPackage(): Promise<Sdk> {
  try {
    return await import('@modelcontextprotocol/server')
  } catch {
    const detail = 'the service needs the package @modelcontextprotocol/server'
    throw new Refused(503, 'missing-package', detail)
  }
}

type Served = CommandContext & Pick<Service, 'report'>

function serverOf(sdk: Sdk, context: Served, tools: readonly McpTool[]) {
  const server = new sdk.McpServer({ name: 'escapement', version: VERSION })
  for (const { name, description, input, writes, run } of tools) {
    const annotations = { readOnlyHint: !writes, destructiveHint: writes, openWorldHint: false }
    server.registerTool(name, { description, inputSchema: input, annotations }, async args => {
      try {
        if (writes) context.audit({ tool: name })
        const result = { ...(await run(context, args as never)) }
        return { content: textOf(JSON.stringify(result, null, 1)), structuredContent: result }
      } catch (error) {
        const { code, detail } = context.report(error)
        if (writes) context.audit({ code })
        return { content: textOf(`${code}: ${detail}`), isError: true }
      }
    })
  }
  registerJournals(sdk, server, context.runtime)
  return server
}

const textOf = (text: string) => [{ type: 'text' as const, text }]

/** Characters of a journal. The tool `show` reads the rest in parts. */
const JOURNAL_MAX = 1_000_000
const NDJSON = 'application/x-ndjson'

function registerJournals(sdk: Sdk, server: InstanceType<Sdk['McpServer']>, runtime: Runtime) {
  const uriOf = (thread: string) => `escapement://threads/${encodeURIComponent(thread)}/journal`
  const template = new sdk.ResourceTemplate('escapement://threads/{thread}/journal', {
    list: async () => {
      const { threads } = await runtime.threads({ limit: 100 })
      return {
        resources: threads.map(({ thread, status }) => {
          return { uri: uriOf(thread), name: `${thread} (${status})`, mimeType: NDJSON }
        }),
      }
    },
  })
  const config = { description: 'The journal of a thread, one event a line', mimeType: NDJSON }
  server.registerResource('journal', template, config, async (uri, { thread }) => {
    const rows = await runtime.thread(decodeURIComponent(String(thread))).rows()
    let text = ''
    for (const row of rows) {
      const line = `${JSON.stringify(row)}\n`
      if (text.length + line.length > JOURNAL_MAX) break
      text += line
    }
    return { contents: [{ uri: uri.href, mimeType: NDJSON, text }] }
  })
}
