/** The state of the thread as the service reports it: whether it is paused, what it asks, and what it has spent. */
import { useEffect, useState } from 'react'
import type { ThreadState } from '../../../../src/host/thread/thread.ts'
import type { RunModel } from '../../data/run-model.ts'
import { service } from '../../data/service.ts'

type StateNow = Omit<ThreadState, 'channels'>

export interface ThreadStatus {
  readonly ended: boolean
  readonly paused: boolean
  readonly state: StateNow | undefined
}

const UNKNOWN: ThreadStatus = { ended: false, paused: false, state: undefined }

/** At most one request at a time, after the rows of a moment have arrived. */
const SETTLED_MS = 120

/** After a request that failed. The status of a thread that waits would stay unknown until its next event. */
const AGAIN_MS = 2_000

/** The links of threads whose state the service can tell. */
const REACHED: ReadonlySet<RunModel['link']['kind']> = new Set(['loading', 'live', 'lost'])

/** Reads the state again whenever the thread has new events. */
export function useThreadState(model: RunModel | undefined): ThreadStatus {
  const [status, setStatus] = useState(UNKNOWN)
  useEffect(() => {
    if (!model) return
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    /** The event up to which the status is known, or was asked for. */
    let known = -1
    const read = async () => {
      known = model.journal.end
      const state = await stateNow(model.thread)
      timer = undefined
      if (!isCurrent) return
      if (!state) {
        if (REACHED.has(model.link.kind)) timer = setTimeout(() => void read(), AGAIN_MS)
        return
      }
      known = Math.max(known, state.seq)
      const ended = state.status === 'ended'
      setStatus({ ended, paused: state.paused !== undefined, state })
      schedule()
    }
    const schedule = () => {
      if (model.link.kind !== 'live' || model.journal.end <= known) return
      timer ??= setTimeout(() => void read(), SETTLED_MS)
    }
    // The status arrives while the journal loads.
    if (model.link.kind === 'loading') timer = setTimeout(() => void read())
    else schedule()
    const end = model.subscribe(schedule)
    return () => {
      isCurrent = false
      clearTimeout(timer)
      end()
    }
  }, [model])
  return status
}

/** The channels of a long conversation would be most of the response. */
const stateNow = (thread: string): Promise<StateNow | undefined> =>
  service.calls.thread({ params: { thread }, query: { channels: 'false' } }).then(
    state => state as unknown as StateNow,
    () => undefined,
  )
