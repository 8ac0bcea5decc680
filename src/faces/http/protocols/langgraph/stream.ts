/** The event stream of a thread for LangGraph clients: all rounds from its start, then what follows. */
import type { Runtime } from '../../../../host/runtime.ts'
import type { ThreadEvent, ThreadHandle } from '../../../../host/thread/thread.ts'
import type { StreamFilter } from '../../contract/langgraph.ts'
import type { Row } from '../../../../core/run/run.ts'
import { Events, type Rendered } from './events.ts'

/** Another process can write to the thread: the store is read again after this time. */
const LOOK_AGAIN = 1_000

export async function* eventsFor(
  runtime: Runtime,
  handle: ThreadHandle,
  filter: StreamFilter,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let events: Events | undefined
  for await (const event of follow(runtime, handle, signal)) {
    events ??= new Events((await handle.state()).graph)
    const sent = event === 'waiting' ? events.ask(await childQuestions(handle)) : events.take(event)
    for (const rendered of sent) if (isIn(filter, rendered)) yield await lineOf(handle, rendered)
  }
}

const childQuestions = async (handle: ThreadHandle) =>
  (await handle.state()).questions.filter(({ thread }) => thread !== undefined)

/** The events of a thread across its rounds. `waiting`: it waits for children, whose questions may have changed. The thread need not exist yet. */
async function* follow(
  runtime: Runtime,
  handle: ThreadHandle,
  signal: AbortSignal,
): AsyncGenerator<ThreadEvent | 'waiting'> {
  let wake = () => {}
  const { id } = handle
  const end = runtime.observe(news => {
    if ('thread' in news && `${news.thread}/`.startsWith(`${id}/`)) wake()
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  let hasChildren = false
  try {
    for (let after = -1; !signal.aborted; ) {
      const changed = new Promise<void>(resolve => {
        wake = resolve
      })
      const next = await handle.rows({ after, limit: 1 }).catch(unlessUnknown)
      if (next.length === 0) {
        if (hasChildren) yield 'waiting'
        const timer = setTimeout(wake, LOOK_AGAIN)
        await changed
        clearTimeout(timer)
        continue
      }
      for await (const event of handle.events({ after, until: 'waiting', signal })) {
        if (event.type !== 'token') {
          after = event.seq
          hasChildren ||= event.row.event.type === 'child.waiting'
          if (event.row.ended) hasChildren = false
        }
        yield event
      }
    }
  } finally {
    end()
  }
}

function unlessUnknown(error: Error): readonly Row[] {
  if (error.name === 'UnknownThread') return []
  throw error
}

function isIn({ channels, namespaces, since = -1 }: StreamFilter, { seq, method, data }: Rendered) {
  if (namespaces && namespaces.length > 0 && !namespaces.some(({ length }) => length === 0))
    return false
  if (seq <= since) return false
  const [channel = ''] = method.split('.')
  return channels.includes(channel) || channels.includes(`${channel}:${data.name}`)
}

async function lineOf(handle: ThreadHandle, { id, seq, method, data }: Rendered): Promise<string> {
  const channels = method === 'values' ? (await handle.state(seq)).channels : {}
  const params = { namespace: [], timestamp: Date.now(), data: { ...channels, ...data } }
  const event = { type: 'event', event_id: id, seq, method, params }
  return `event: ${method}\ndata: ${JSON.stringify(event)}\n\n`
}
