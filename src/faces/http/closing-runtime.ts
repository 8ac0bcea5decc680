/** The runtime of a service that shuts down. */
import { HostClosed } from '../../host/drive/host-closed.ts'
import type { Runtime } from '../../host/runtime.ts'

/** Refuses new threads at once. The runtime itself would let the request wait until all threads are left. */
export const closingRuntime = (runtime: Runtime, closing: AbortSignal): Runtime => ({
  ...runtime,
  async start(graph, input, options) {
    if (closing.aborted) throw new HostClosed()
    return runtime.start(graph, input, options)
  },
})
