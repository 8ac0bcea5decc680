import { openAiAgents } from '../conformance/openai-agents.ts'
import { wrapSuite } from '../suites/wrap.ts'

wrapSuite(openAiAgents)
