/** The service: `escapement/http`. */
export type { AccessOptions } from './faces/http/access/access.ts'
export { type ApiKey, hashKey, InvalidKey, isInvalidKey } from './faces/http/access/api-key.ts'
export type { LimitOptions } from './faces/http/access/limits.ts'
export { type App, createApp } from './faces/http/app.ts'
export type { AppOptions, LogLine } from './faces/http/app-options.ts'
export type { McpOptions } from './faces/http/protocols/mcp/mcp.ts'
export type { Role } from './faces/http/contract/endpoint.ts'
