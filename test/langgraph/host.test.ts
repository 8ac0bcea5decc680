import { hostProperties, hostSuite } from '../suites/host.ts'
import { langGraphHost } from './langgraph-host.ts'

hostSuite(langGraphHost)
hostProperties(langGraphHost, 60)
