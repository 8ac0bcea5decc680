/** `escapement/ai-sdk`: adapters for models and tools of the AI SDK, and the watchdog for its agents. */
export { type AiSdkModel, aiSdkModel } from './adapters/model/ai-sdk.ts'
export { type AiSdkTool, aiSdkTools } from './adapters/tools/ai-sdk.ts'
export { type AiSdkOptions, type AiSdkWatch, watch } from './adapters/wrap/ai-sdk.ts'
export type { ToolSettings } from './kit/foreign-tool.ts'
