/** `escapement/langgraph`: graphs as LangGraph graphs. */
export { isUnfitName, UnfitName } from './host/langgraph/node-names.ts'
export { isNeedsStore, type LangGraphOptions, NeedsStore } from './host/langgraph/options.ts'
export type { Asking, LangGraphAnswer, ResumeValue } from './host/langgraph/people.ts'
export type { Position } from './host/langgraph/state.ts'
export { type LangGraphOf, toLangGraph } from './host/langgraph/to-langgraph.ts'
export { fromLangGraph, type LangGraphReading } from './host/langgraph/from-langgraph.ts'
export { watched, type WatchedOptions } from './host/langgraph/watched.ts'
export { EscapementSaver } from './host/langgraph/saver.ts'
