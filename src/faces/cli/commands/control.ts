/** Commands that control a thread: pause, step, stop, escape, dismissal, injected faults, and breakpoints. */
import { conditionOf } from '../../../core/run/condition.ts'
import type { Breakpoint } from '../../../core/run/control.ts'
import { defined } from '../../../core/watch/data/json.ts'
import type { ChosenRung } from '../../../core/watch/event/event.ts'
import type { FailureClass } from '../../../core/watch/failure/failure.ts'
import { findingIn } from '../../../host/thread/thread-commands.ts'
import { UnknownNode } from '../../../host/overview.ts'
import { nodesOfThread } from '../../../host/thread/thread-graph.ts'
import { injectionCommand } from '../../../runtime/people/injection.ts'
import type { Store } from '../../../runtime/store/store.ts'
import { type App, jsonInput, type Perform, printResult, UsageError } from '../app/app.ts'
import { submit } from './resume.ts'
import { type ControlOptions, type StoreOptions, withHost, withStore } from './thread.ts'

export const pause: Perform<ControlOptions & { reason?: string }> = (app, thread, options) => {
  const { reason } = options
  return withHost(app, options, session =>
    submit(session, thread, { type: 'pause', ...defined({ reason }) }),
  )
}

export const step: Perform<ControlOptions & { until?: readonly string[] }> = (
  app,
  thread,
  options,
) => {
  const { until } = options
  return withHost(app, options, session =>
    submit(session, thread, { type: 'step', ...defined({ until }) }),
  )
}

export const stop: Perform<ControlOptions & { reason: string }> = (app, thread, options) => {
  const { reason } = options
  return withHost(app, options, session => submit(session, thread, { type: 'stop', reason }))
}

export const escape: Perform<ControlOptions & { rung: ChosenRung; to?: string; note?: string }> = (
  app,
  thread,
  options,
) => {
  const { rung, to, note } = options
  return withHost(app, options, session =>
    submit(session, thread, { type: 'escape', rung, ...defined({ to, note }) }),
  )
}

export const dismiss: Perform<ControlOptions & { finding?: string }> = (app, thread, options) =>
  withHost(app, options, async session => {
    const finding = findingIn(await session.host.store.rows(thread), options.finding)
    if (!finding) throw new UsageError('the thread has no such finding')
    return submit(session, thread, { type: 'dismiss', finding })
  })

interface InjectOptions extends ControlOptions {
  readonly tool?: string
  readonly model?: string
  readonly class?: FailureClass
  readonly message?: string
  readonly result?: string
  readonly times: string
}

export const inject: Perform<InjectOptions> = async (app, thread, options) => {
  const { tool, model, class: failureClass, message, times } = options
  const name = tool ?? model
  if (name === undefined || (tool !== undefined && model !== undefined))
    throw new UsageError('name the tool or the model with --tool or --model')
  const { result: text } = options
  const result = text === undefined ? undefined : await jsonInput(app, text, '--result')
  const terms = { times: Number(times), ...defined({ class: failureClass, message, result }) }
  const kind = tool === undefined ? 'model' : 'tool'
  const command = injectionCommand({ kind, name, ...terms })
  return withHost(app, options, session => submit(session, thread, command))
}

interface BreakpointOptions extends StoreOptions {
  readonly set?: string
  readonly clear?: string
  readonly when?: string
}

/** Lists the breakpoints, or sets or clears one. */
export function breakpoints(app: App, options: BreakpointOptions) {
  const { set, clear, when } = options
  if (set !== undefined && clear !== undefined)
    throw new UsageError('--set sets a breakpoint and --clear removes one: give one of them')
  const named = set ?? clear
  if (when !== undefined && named === undefined)
    throw new UsageError('--when needs --set GRAPH or --clear GRAPH')
  const of = named === undefined ? undefined : breakpointNamed(named, when)
  if (set !== undefined && when !== undefined) conditionOf(when)
  return withStore(options, async store => {
    if (of && set !== undefined) await checkPlace(app, store, of)
    if (of) await store.changeBreakpoint(of, set !== undefined)
    const all = await store.breakpoints()
    const lines = all.map(({ graph, node, thread, when }) => {
      const place = when === undefined ? `${graph}#${node}` : `${graph} when ${when}`
      return `${place}${thread ? ` in ${thread}` : ''}`
    })
    return printResult(app, options, all, () => (lines.length > 0 ? lines : ['no breakpoints']))
  })
}

/** A breakpoint can precede the threads of its graph. The graph of the latest one has the known nodes. @throws UnknownNode */
async function checkPlace(app: App, store: Store, of: Breakpoint): Promise<void> {
  const [latest] = await store.page({ graph: of.graph, order: 'latest', limit: 1 })
  if (!latest) return app.note([`the store has no thread of the graph '${of.graph}' yet`])
  const nodes = await nodesOfThread(store, latest.thread)
  if (of.node !== undefined && nodes && !nodes.includes(of.node)) throw new UnknownNode(of, nodes)
}

function breakpointNamed(name: string, when: string | undefined): Breakpoint {
  if (when !== undefined) {
    const [, graph, thread] = /^([^#@]+)(?:@(.+))?$/.exec(name) ?? []
    if (graph === undefined)
      throw new UsageError(`'${name}': with --when, expected GRAPH, or GRAPH@THREAD`)
    return { graph, when, ...defined({ thread }) }
  }
  const [, graph, node, thread] = /^([^#@]+)#([^@]+)(?:@(.+))?$/.exec(name) ?? []
  if (graph === undefined || node === undefined)
    throw new UsageError(`'${name}': expected GRAPH#NODE, or GRAPH#NODE@THREAD`)
  return { graph, node, ...defined({ thread }) }
}
