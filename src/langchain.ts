/** `escapement/langchain`: models and tools of LangChain as ours, and the watchdog around its agents. */
export { type LangChainModel, langchainModel } from './adapters/model/langchain/chat-model.ts'
export { type LangChainTool, langchainTools } from './adapters/tools/langchain.ts'
export { type LangChainOptions, watch } from './adapters/wrap/langchain.ts'
export type { ToolSettings } from './kit/foreign-tool.ts'
