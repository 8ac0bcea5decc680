/** LangGraph as a host: `drive` by supersteps. */
import { MemorySaver } from '@langchain/langgraph'
import { parentIn } from '../../src/core/watch/data/thread-name.ts'
import type { Run } from '../../src/core/run/run.ts'
import { compileGraph } from '../../src/host/langgraph/to-langgraph.ts'
import { drive, type DriveOptions } from '../../src/runtime/drive/drive.ts'
import type { Ports } from '../../src/runtime/ports.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import type { ThreadEvent } from '../../src/host/thread/thread.ts'
import { engineTime } from '../suites/engine-time.ts'
import { type Host, pathOf } from '../suites/host.ts'

export const langGraphHost: Host = {
  name: 'LangGraph',
  different: {
    'run-late-result.story': 'a superstep that has ended takes no late results',
    'run-region-left-waits-for-its-own-work.story':
      'the time between the last event of a superstep and the first of the next does not count',
  },
  open() {
    const checkpointer = new MemorySaver()
    const path = new Map<string, string[]>()
    const carry = async (given: Ports, thread: string, { start }: DriveOptions = {}) => {
      // A child thread alone: LangGraph sees it as part of the node of its parent.
      if (parentIn(thread) !== undefined) return drive(given, thread)
      const { ports, work } = engineTime(given)
      const { graph, store } = ports
      const options = { store, checkpointer, ...(start && { seed: start.seed }) }
      let run: Run | undefined
      const compiled = compileGraph(graph, options, ({ live, ...of }) => ({
        ...ports,
        ...of,
        live: update => {
          live?.(update)
          if (update.kind === 'rows' && update.thread === thread)
            run = update.items.at(-1)?.run ?? run
        },
      }))
      const config = { configurable: { thread_id: thread } }
      await work(async () => {
        const { next, values } = await compiled.getState(config)
        const isOpen = next.length > 0
        const input = isOpen ? null : { input: values.escapement ? null : (start?.input ?? null) }
        const stream = await compiled.stream(input as never, { ...config, streamMode: 'custom' })
        for await (const event of stream as AsyncIterable<ThreadEvent>)
          if (event.type !== 'token' && event.thread === thread)
            path.set(thread, [...(path.get(thread) ?? []), ...pathOf([event.row])])
      })
      return run ?? ((await replay(graph.machine, store, thread)) as Run)
    }
    return { drive: carry, path }
  },
}
