/** The runtime as a caller may use it. All endpoints and protocols receive it. */
import { defined } from '../../../core/watch/data/json.ts'
import type { Runtime } from '../../../host/runtime.ts'
import type { ThreadHandle } from '../../../host/thread/thread.ts'
import { Refused } from '../contract/problem.ts'
import { type Caller, hasRole } from './access.ts'
import { checkPolicyChange, isLimited } from './policy-change.ts'
import { checkParentKeys, checkScope, scopeKeys } from './scope-keys.ts'
import { tenantRuntime } from './tenant.ts'

export function runtimeFor(runtime: Runtime, caller: Caller | undefined): Runtime {
  if (hasRole(caller, 'admin') && !isLimited(caller)) return runtime
  const own = caller?.threads === undefined ? runtime : tenantRuntime(runtime, caller.threads)
  return {
    ...own,
    thread: (id, graph) => handleFor(own.thread(id, graph), caller),
    async start(graph, input, options = {}) {
      const { policy, keys: given } = options
      checkPolicyChange(caller, 'policy', policy)
      const keys = scopeKeys(caller, graph, given)
      return handleFor(await own.start(graph, input, { ...options, ...defined({ keys }) }), caller)
    },
    async releaseScope(of) {
      checkScope(caller ?? {}, of)
      return own.releaseScope(of)
    },
    async importThread(lines, as) {
      if (caller?.keys === undefined) return own.importThread(lines, as)
      const detail = 'an archive has scope keys of its own: a key with scope keys imports none'
      throw new Refused(403, 'shared-state', detail)
    },
  }
}

/** Its forks and its policy are changed as the caller may. */
function handleFor<Output, Channels>(
  handle: ThreadHandle<Output, Channels>,
  caller: Caller | undefined,
): ThreadHandle<Output, Channels> {
  return {
    ...handle,
    async changePolicy(change, options) {
      checkPolicyChange(caller, 'change', change)
      return handle.changePolicy(change, options)
    },
    async fork(options) {
      checkPolicyChange(caller, 'change', options.change)
      await checkParentKeys(caller ?? {}, handle)
      return handleFor(await handle.fork(options), caller)
    },
  }
}
