/** `escapement/mcp`: adapters for tools of MCP servers. */
export {
  isMcpToolError,
  type McpClient,
  type McpTool,
  McpToolError,
  mcpTools,
} from './adapters/tools/mcp.ts'
export type { ToolSettings } from './kit/foreign-tool.ts'
