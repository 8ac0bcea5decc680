/** The task: a node's view of the runtime, and its only access to models and tools. */
import type { Run } from '../../core/run/run.ts'
import { remainingOf } from '../../core/run/remaining.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import { computed } from '../../core/watch/data/computed.ts'
import { type Json, draw } from '../../core/watch/data/json.ts'
import type { CallContext } from '../call/context.ts'
import { callIds } from '../call/call-ids.ts'
import { callFailure } from '../call/callable.ts'
import { modelCall } from '../call/model-call.ts'
import { unavailableTools } from '../call/retry.ts'
import { checkSize, storedJson } from '../call/stored-json.ts'
import type { ToolCall } from '../call/permissions.ts'
import { identified, toolCalls } from '../call/tool-call.ts'
import { childCall } from '../child/child.ts'
import type { Answer, Graph, Task } from '../ports.ts'
import { YIELD_AFTER, YIELD_EVERY } from '../time/yield.ts'

interface TaskInput {
  readonly node: string
  /** The run at the first start of the effect: the node's input stays the same when it is performed again. */
  readonly runAtStart: Run
  readonly isRethinking: boolean
}

export function taskOf(context: CallContext, { node, runAtStart, isRethinking }: TaskInput): Task {
  const { ports, journal, effect, region, cancellation, records } = context
  const { machine, tools } = ports.graph
  const ids = callIds(context)
  const countCall = counterOf(context, node)
  const unlessLeft = settlerUnlessLeft(context, countCall)
  const inCode = machine.runsCode(node)
  const items = new Set<number>()
  let isFirst = true
  const task: Omit<Task, keyof Computed> = {
    ...{ thread: journal.lease.thread, effect, node },
    round: runAtStart.round,
    lessons: runAtStart.lessons.map(explain),
    rejections: runAtStart.rejections?.[node] ?? 0,
    forgotten: runAtStart.dropped,
    requested: runAtStart.requested ?? [],
    tools,
    draw: purpose => draw(runAtStart.seed, effect, purpose),
    ask(model, request) {
      countCall()
      // To rethink, the first call uses the smarter model.
      const name = (isRethinking && isFirst && machine.smarter(model)) || model
      isFirst = false
      return unlessLeft(() => modelCall(context, ids, { name, request, inCode }))
    },
    call(name, args) {
      countCall()
      return unlessLeft(async () => {
        const call = await identified(ids, { name, args })
        return (await toolCalls(context, [call]))[0] as Answer<Json>
      })
    },
    run(name, input, options = {}) {
      return unlessLeft(() => {
        if (!isNewItem(items, options.item)) countCall()
        return childCall(context, ids, { name, input, options })
      })
    },
    batch(requests) {
      return unlessLeft(() => {
        // A copy: `requests` may be anything, and claim a length that it does not have.
        const listed = [...requests]
        if (listed.length === 0) countCall()
        const calls = listed.map(({ tool, args }) => {
          countCall()
          return identified(ids, { name: tool, args })
        })
        return batchOf(context, calls)
      })
    },
    report(raw) {
      return unlessLeft(async () => {
        countCall()
        const id = { effect, region, call: ids.ofReport() }
        checkSize('note', raw)
        if (records.reports.has(id.call) || cancellation.cancelled) return
        journal.take({ type: 'reported', ...id, note: storedJson('note', raw, ports.redact).value })
      })
    },
  }
  return withComputed(task, { machine, tools, node, runAtStart, cancellation })
}

async function batchOf(context: CallContext, identified: readonly Promise<ToolCall>[]) {
  const calls = await Promise.all(identified)
  // All calls are open before the first event of any of them is written.
  for (const { call } of calls) context.openCalls.add(call)
  context.cancellation.throwIfCancelled()
  return toolCalls(context, calls)
}

type Computed = Pick<Task, 'input' | 'signal' | 'unavailable' | 'remaining'>

interface ComputedFrom extends Pick<TaskInput, 'node' | 'runAtStart'>, Pick<Graph, 'machine'> {
  readonly tools: Task['tools']
  readonly cancellation: CallContext['cancellation']
  input?: Task['input']
}

const withComputed = computed<ComputedFrom, Computed>({
  input(from) {
    from.input ??= from.machine.inputOf(from.node, from.runAtStart.snapshot.context)
    return from.input
  },
  signal: ({ cancellation }) => cancellation.signal,
  unavailable: ({ tools, runAtStart }) => unavailableTools(tools, runAtStart),
  remaining: ({ runAtStart }) => remainingOf(runAtStart),
})

/** The items of one node that do not count against `limits.nodeCalls`. */
const UNCOUNTED_MAX = 10_000

/** The first call for an item does not count against `limits.nodeCalls`. Further calls do. @throws TypeError for an item without numbers of a list */
function isNewItem(items: Set<number>, item: { index: number; of: number } | undefined): boolean {
  if (!item) return false
  const { index, of } = item
  if (![index, of].every(each => Number.isInteger(each) && each >= 0))
    throw new TypeError('item: expected an index and a length, as whole numbers from 0')
  if (index >= of || items.has(index) || items.size >= UNCOUNTED_MAX) return false
  items.add(index)
  return true
}

/** Counts the calls of an effect. One too many fails the node, and an empty batch counts as a call. */
function counterOf({ journal, effect, region, cancellation }: CallContext, node: string) {
  let counted = 0
  return () => {
    const { nodeCalls: limit } = journal.run.policy.limits
    if (counted++ >= limit && !cancellation.cancelled) {
      const reason = { code: 'node-call-limit', params: { node, limit } } as const
      const failure = callFailure('TooManyCalls', 'node-calls', reason)
      journal.take({ type: 'node.failed', effect, region, failure })
    }
  }
}

/** After a node was left, one of so many calls throws. */
const LATE_THROW_EVERY = 32

/** The result of a call. Never settles once the node is left: a node that catches errors and tries again would continue forever. */
function settlerUnlessLeft({ cancellation, ports }: CallContext, countCall: () => void) {
  let calls = 0
  let late = 0
  let busy = 0
  let settledAt = ports.clock.now()
  const start = <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return work()
    } catch (error) {
      // A call whose arguments throw when they are read counts, too: a node must not repeat it forever.
      countCall()
      return Promise.reject(error)
    }
  }
  return <T>(work: () => Promise<T>): Promise<T> => {
    // A node that does not wait for its calls ends here. One that has a deadline for each call, and catches all, waits for the next deadline.
    if (cancellation.cancelled && ++late % LATE_THROW_EVERY === 0) throw cancellation.signal.reason
    const promise = new Promise<T>((resolve, reject) => {
      if (cancellation.cancelled) return
      const worked = start(work)
      busy += ports.clock.now() - settledAt
      const yields = ++calls % YIELD_EVERY === 0 || busy >= YIELD_AFTER
      if (yields) busy = 0
      const settled = worked.finally(() => {
        settledAt = ports.clock.now()
        return yields ? ports.clock.sleep(0) : undefined
      })
      settled.then(
        value => cancellation.cancelled || resolve(value),
        error => cancellation.cancelled || reject(error),
      )
    })
    // A node may ignore the result of a call.
    promise.catch(() => {})
    return promise
  }
}
