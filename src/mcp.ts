/** `escapement/mcp`: tools of MCP servers as ours. */
export {
  isMcpToolError,
  type McpClient,
  type McpTool,
  McpToolError,
  mcpTools,
} from './adapters/tools/mcp.ts'
export type { ToolSettings } from './kit/foreign-tool.ts'
