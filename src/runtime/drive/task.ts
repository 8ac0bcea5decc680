/** The task: all a node sees of the runtime, and its only way to models and tools. */
import { explain } from '../../core/watch/reason/reason.ts'
import type { Run } from '../../core/run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { type Failure, stated } from '../../core/watch/failure/failure.ts'
import { draw } from '../../core/watch/data/signature.ts'
import type { CallContext } from '../call/callable.ts'
import { childCall } from '../child/child.ts'
import { storedJson } from '../call/stored-json.ts'
import { modelCall } from '../call/model-call.ts'
import type { Answer, Task } from '../ports.ts'
import type { CallRecords, Recording } from '../call/call-record.ts'
import { toolsOutOfOrder } from '../call/out-of-order.ts'
import { toolCalls } from '../call/tool-call.ts'
import type { EffectContext } from '../call/effect-context.ts'

interface Assignment extends CallContext {
  readonly effect: CallContext['effect'] & { readonly rethinking: boolean }
  readonly node: string
  /** The run as it was when the effect was first started: what the node is given stays the same when it is performed again. */
  readonly issued: Run
  readonly records: CallRecords
  readonly recording: Recording
}

export function taskOf(assignment: Assignment): Task {
  const { ports, journal, effect, cancellation, node, issued, records } = assignment
  const context: EffectContext = { ...assignment, out: new Set(), resting: [] }
  const of = { effect: effect.id, region: effect.region }
  const storedNote = (note: Json) => storedJson('note', note, ports.redact).value
  const { next, uncounted } = callIds(assignment)
  const thinker = thinkerOf(assignment)
  let input: Task['input'] | undefined
  return {
    thread: journal.lease.thread,
    effect: effect.id,
    node,
    get input() {
      input ??= ports.graph.machine.inputOf(node, issued.snapshot.context)
      return input
    },
    lessons: issued.lessons.map(explain),
    forgotten: issued.dropped,
    get signal() {
      return cancellation.signal
    },
    tools: ports.graph.tools,
    get outOfOrder() {
      return toolsOutOfOrder(ports.graph.tools, issued)
    },
    draw: purpose => draw(issued.seed, effect.id, purpose),
    ask(name, request) {
      const call = next()
      return untilNodeLeft(context, () =>
        modelCall(context, { call, name: thinker(name), request }),
      )
    },
    call(name, args) {
      const call = next()
      return untilNodeLeft(
        context,
        async () => (await toolCalls(context, [{ call, name, args }]))[0] as Answer<Json>,
      )
    },
    run(name, input, options = {}) {
      // Items are as many as there are; what each does has limits of its own.
      const call = options.item ? uncounted() : next()
      return untilNodeLeft(context, () => childCall(context, { call, name, input, options }))
    },
    batch: calls => {
      const made = calls.map(({ tool, args }) => ({ call: next(), name: tool, args }))
      // All are out before the first event of any of them is written.
      for (const { call } of made) context.out.add(call)
      return untilNodeLeft(context, () => toolCalls(context, made))
    },
    report: note => {
      const call = next()
      if (!records.reports.has(call) && !cancellation.cancelled)
        journal.take({ type: 'reported', ...of, call, note: storedNote(note) })
      return untilNodeLeft(context, async () => {})
    },
  }
}

interface CallIds {
  /** The id of the next call. With one too many, the node has failed and is left. */
  readonly next: () => string
  /** The id of a call that the limit of the node leaves out. */
  readonly uncounted: () => string
}

/** Numbers the calls of one effect in the order in which its node makes them. */
function callIds({ journal, effect, cancellation, node }: Assignment): CallIds {
  let made = 0
  let counted = 0
  const uncounted = () => `${effect.id}/${++made}`
  const next = () => {
    const { nodeCalls } = journal.run.policy.limits
    if (counted++ >= nodeCalls && !cancellation.cancelled)
      journal.take({
        type: 'node.failed',
        effect: effect.id,
        region: effect.region,
        failure: tooManyCalls(node, nodeCalls),
      })
    return uncounted()
  }
  return { next, uncounted }
}

/** Names the model that answers: for one call the smarter one, where the last lap led nowhere. */
function thinkerOf({ ports, effect }: Assignment): (name: string) => string {
  let again = effect.rethinking
  return name => {
    const asked = again ? (ports.graph.machine.smarter(name) ?? name) : name
    again = false
    return asked
  }
}

function tooManyCalls(node: string, most: number): Failure {
  return {
    name: 'TooManyCalls',
    ...stated({ code: 'node-call-limit', params: { node, limit: most } }),
    class: 'persistent',
    scope: 'request',
    rule: 'node-calls',
  }
}

/**
 * A promise of what a call comes to, which never settles once the node has been left: nothing that the node still does may
 * count, and a node that catches and tries again would otherwise go on for ever.
 */
function untilNodeLeft<T>({ cancellation }: EffectContext, doing: () => Promise<T>): Promise<T> {
  const promise = new Promise<T>((resolve, reject) => {
    if (cancellation.cancelled) return
    doing().then(
      value => cancellation.cancelled || resolve(value),
      error => cancellation.cancelled || reject(error),
    )
  })
  // Who makes a call and does not wait for it has nothing to handle.
  promise.catch(() => {})
  return promise
}
