/** The state of the thread as the service reports it: whether it is paused, what it asks, and what it has spent. */
import { useEffect, useState } from 'react'
import type { ThreadState } from '../../../../src/host/thread.ts'
import type { RunModel } from '../../data/run-model.ts'
import { service } from '../../data/service.ts'

export interface ThreadStatus {
  readonly ended: boolean
  readonly paused: boolean
  readonly state: ThreadState | undefined
}

const UNKNOWN: ThreadStatus = { ended: false, paused: false, state: undefined }

/** At most one request at a time, after the rows of a moment have arrived. */
const SETTLED_MS = 120

/** Reads the state again whenever the thread has new events. */
export function useThreadState(model: RunModel | undefined): ThreadStatus {
  const [status, setStatus] = useState(UNKNOWN)
  useEffect(() => {
    if (!model) return
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    let version = -1
    const read = async () => {
      timer = undefined
      if (model.link.kind !== 'live' || model.journal.version === version) return
      version = model.journal.version
      const state = await service
        .thread(model.thread)
        .state()
        .catch(() => undefined)
      if (!isCurrent || !state) return
      const ended = state.status === 'ended'
      setStatus({ ended, paused: state.paused !== undefined, state })
      if (model.journal.version !== version) schedule()
    }
    const schedule = () => {
      timer ??= setTimeout(() => void read(), SETTLED_MS)
    }
    schedule()
    const end = model.subscribe(schedule)
    return () => {
      isCurrent = false
      clearTimeout(timer)
      end()
    }
  }, [model])
  return status
}
