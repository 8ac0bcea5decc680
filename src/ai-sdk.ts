/** `escapement/ai-sdk`: models and tools of the AI SDK as ours, and the watchdog around its agents. */
export { type AiSdkModel, aiSdkModel } from './adapters/model/ai-sdk.ts'
export { type AiSdkTool, aiSdkTools } from './adapters/tools/ai-sdk.ts'
export { type AiSdkOptions, type AiSdkWatch, watch } from './adapters/wrap/ai-sdk.ts'
export type { ToolSettings } from './kit/foreign-tool.ts'
