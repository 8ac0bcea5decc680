/** `escapement/mcp`: adapters for tools of MCP servers. */
export type { McpClient, McpTool } from './adapters/tools/mcp.ts'
export { isMcpToolError, McpToolError, mcpTools } from './adapters/tools/mcp.ts'
export type { ToolSettings } from './kit/foreign-tool.ts'
