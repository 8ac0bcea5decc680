import { hostProperties, hostSuite } from '../suites/host.ts'
import { xstateHost } from './xstate-host.ts'

hostSuite(xstateHost)
hostProperties(xstateHost, 60)
