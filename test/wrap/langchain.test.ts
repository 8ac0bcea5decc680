import { langchain } from '../conformance/langchain.ts'
import { wrapSuite } from '../suites/wrap.ts'

wrapSuite(langchain(0))
