/** `escapement/langchain`: adapters for models and tools of LangChain, and the watchdog for its agents. */
export { type LangChainModel, langchainModel } from './adapters/model/langchain/chat-model.ts'
export { type LangChainTool, langchainTools } from './adapters/tools/langchain.ts'
export { type LangChainOptions, watch } from './adapters/wrap/langchain.ts'
export type { ToolSettings } from './kit/foreign-tool.ts'
