/** Endpoints of what threads share: questions, breakers, scopes. And of the service itself. */
import { defined } from '../../../core/watch/data/json.ts'
import { Refused } from '../contract/problem.ts'
import type { Handlers } from './handler.ts'

export const store: Handlers<
  | 'meta'
  | 'session'
  | 'inbox'
  | 'answered'
  | 'breakers'
  | 'breaker'
  | 'breakpoints'
  | 'changeBreakpoint'
  | 'scopes'
  | 'releaseScope'
> = {
  async meta({ version, caller }) {
    return { version, protocol: 1, ...defined({ role: caller?.role, threads: caller?.threads }) }
  },

  async session({ access, body, request, now }) {
    const cookie = access.openSession(body.token, now, request.url.startsWith('https:'))
    return new Response(null, { status: 204, headers: { 'set-cookie': cookie } })
  },

  async inbox({ runtime, query }) {
    return { questions: await runtime.questions(defined(query)) }
  },

  async answered({ runtime, query }) {
    return { answered: await runtime.answered(defined(query)) }
  },

  async breakers({ runtime }) {
    return { breakers: await runtime.breakers() }
  },

  async breaker({ runtime, params: { resource = '' }, body, audit }) {
    audit({ do: body.do })
    return runtime.changeBreaker(resource, body.do, body.ms)
  },

  async breakpoints({ runtime }) {
    return { breakpoints: await runtime.breakpoints() }
  },

  async changeBreakpoint({ runtime, body: { do: change, ...of }, audit }) {
    audit({ do: change, ...of })
    await runtime.changeBreakpoint(defined(of), change)
    return { breakpoints: await runtime.breakpoints() }
  },

  async scopes({ runtime }) {
    return { scopes: await runtime.scopes() }
  },

  async releaseScope({ runtime, body, audit }) {
    audit(body)
    if (await runtime.releaseScope(body)) return new Response(null, { status: 204 })
    throw new Refused(404, 'unknown-scope', 'no thread has spent anything in this scope')
  },
}
