import { aiSdk } from '../conformance/ai-sdk.ts'
import { wrapSuite } from '../suites/wrap.ts'

wrapSuite(aiSdk)
