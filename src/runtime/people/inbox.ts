/** The inbox of a driven thread: each command is applied once, or rejected with a reason. */
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import { refusalOfAnswer } from '../../core/review/answers.ts'
import { injectionRejection } from '../call/injected.ts'
import { unblock } from '../../core/questions.ts'
import { messageRejection } from '../../core/rounds.ts'
import { isOver, type Run, runnable } from '../../core/run/run.ts'
import { isWaiting } from '../../core/waits.ts'
import { escapeOf } from '../../core/commands.ts'
import { isReason } from '../../core/watch/escape/rungs.ts'
import type { EventOf, PersonEvent } from '../../core/watch/event/event.ts'
import { firstFaults } from '../../core/watch/data/fault.ts'
import { isMap, type Json, mapFields, valueAt } from '../../core/watch/data/json.ts'
import type { Journal } from '../journal/journal.ts'
import type { Command } from '../store/person-event.ts'
import type { Graph, Ports } from '../ports.ts'
import { unpricedFaults } from './unpriced-change.ts'
import type { Fault } from '../../core/watch/data/schema-faults.ts'
import { factsOf } from '../../core/watch/failure/failure.ts'
import { changePolicy } from '../../core/graph/spec/policy-schema.ts'
import type { PolicyRead, Policy } from '../../core/watch/policy/policy.ts'
import { detectKeys } from '../../core/watch/policy/detect-keys.ts'
import { policyNameFaults } from '../../core/graph/spec/name-faults.ts'
import { partFaults } from '../../core/watch/part-faults.ts'
import { redactChange } from '../redaction/redact.ts'
import { RESERVED } from '../../core/graph/spec/name.ts'

export async function takeInbox(ports: Ports, journal: Journal): Promise<void> {
  const { graph, store, clock, redact } = ports
  for (const { command, event: submitted } of await store.inbox(journal.lease.thread)) {
    // The inbox still shows commands that are taken and not stored yet.
    if (journal.settled(command)) continue
    const clean = redactCommand(redact, submitted)
    const { event, refused } = interpretSafely(graph, journal.run, clean, clock.now())
    if (event) journal.take({ ...event, command, epoch: journal.lease.epoch })
    else if (clean.type === 'child.ended') journal.reportEnd(clean.call)
    journal.settle(refused === undefined ? { command } : { command, refused: redact(refused) })
  }
}

/** A command as the inbox and the journal keep it. */
export function redactCommand(redact: Ports['redact'], command: Command): Command {
  if (command.type !== 'policy.change') return redact(command)
  const { change, ...rest } = command
  return { ...redact(rest), change: redactChange(redact, change) } as Command
}

type CommandResult =
  | { readonly event: PersonEvent | EventOf<'policy.changed'>; readonly refused?: undefined }
  | { readonly event?: undefined; readonly refused: Reason }

/** Code of the graph may throw. The command would stop every later drive of the thread, and no cancellation would reach it. */
function interpretSafely(...of: Parameters<typeof interpretCommand>): CommandResult {
  try {
    return interpretCommand(...of)
  } catch (error) {
    const { name, message } = factsOf(error)
    return { refused: { code: 'command-failed', params: { error: `${name}: ${message}` } } }
  }
}

function interpretCommand(graph: Graph, run: Run, command: Command, now: number): CommandResult {
  const { at, ...event } = command
  if (event.type !== 'policy.change') {
    const refused = rejectionOf(graph, run, event, Math.min(at ?? now, now))
    if (refused !== undefined) return { refused }
    return { event: event.type === 'resume' && at !== undefined ? { ...event, saidAt: at } : event }
  }
  // A change between two rounds is valid: it applies to the next one.
  const { policy, faults } = applyPolicyChange(graph, run.policy, event.change)
  if (policy) return { event: { type: 'policy.changed', policy, change: event.change } }
  const params = { faults: firstFaults(faults) }
  return { refused: { code: 'invalid-policy', params } }
}

/** An ended child takes no further round: its parent would not see the result, and may have ended itself. */
function rejectionOfEndedChild(run: Run): Reason | undefined {
  const { parent, ended } = run
  if (!parent || !ended || !isOver(run)) return undefined
  return { code: 'child-ended', params: { reason: ended.reason, parent: parent.thread } }
}

/** Why a command cannot be applied now. */
export function rejectionOf(
  graph: Graph,
  run: Run,
  event: PersonEvent,
  now: number,
): Reason | undefined {
  const { machine, tools } = graph
  if (event.type === 'message')
    return rejectionOfEndedChild(run) ?? messageRejection(machine, run, event.input)
  if (run.ended && (event.type !== 'cancel' || isOver(run)))
    return { code: 'thread-ended', params: { reason: run.ended.reason } }
  if (event.type === 'cancel') return undefined
  if (isControl(event)) return rejectionOfControl(graph, run, event)
  if (event.type === 'resume') {
    const parse = (tool: string, args: Json) => tools[tool]?.parse(args)
    const checkResult = (tool: string, result: Json) => tools[tool]?.checkResult?.(result)
    return refusalOfAnswer(run, event, { machine, now, parse, checkResult })
  }
  const isWanted =
    event.type === 'deadlock.found' ? isWaiting(run, event) : unblock(run.pending, event.call)
  if (isWanted) return undefined
  const thread = event.type === 'deadlock.found' ? event.threads.join(', ') : event.thread
  return { code: 'not-waiting', params: { thread } }
}

const CONTROLS = ['pause', 'continue', 'step', 'escape', 'stop', 'dismiss', 'inject'] as const

type Control = EventOf<(typeof CONTROLS)[number]>

const isControl = (event: PersonEvent): event is Control =>
  (CONTROLS as readonly string[]).includes(event.type)

function rejectionOfControl(graph: Graph, run: Run, event: Control): Reason | undefined {
  switch (event.type) {
    case 'pause':
      return run.paused && runnable(run).length === 0 ? { code: 'already-paused' } : undefined
    case 'continue':
      return run.paused ? undefined : { code: 'not-paused' }
    case 'escape': {
      const chosen = escapeOf(graph.machine, run, event)
      return isReason(chosen) ? chosen : undefined
    }
    case 'inject':
      return injectionRejection(graph, event)
    case 'step':
      return rejectionOfStep(graph.machine, event.until)
    default:
      return undefined
  }
}

/** A step up to a state that does not exist would run to the end of the thread. */
function rejectionOfStep({ chart }: AgentMachine, until: readonly string[] = []) {
  const known = chart.states.map(({ id }) => id)
  const state = until.find(each => !known.includes(each))
  return state === undefined
    ? undefined
    : { code: 'unknown-state' as const, params: { state, known } }
}

/** Applies a change to the policy of a thread. The names in it must exist in its graph, or in the policy if it removes them, and limits of money need a price. */
export function applyPolicyChange(graph: Graph, policy: Policy, change: Json): PolicyRead {
  const changed = changePolicy(policy, change)
  const faults = changed.policy
    ? [
        ...unknownNames(graph, withAbsentNames(changed.policy, policy, change)),
        ...unpricedFaults(graph, change),
      ]
    : []
  return faults.length > 0 ? { faults } : changed
}

/** The changed policy with the names that the change removes, although the policy did not have them. */
function withAbsentNames(changed: Policy, before: Policy, change: Json): Policy {
  const absentIn = (path: string, known: object) =>
    mapFields(mapAt(change, path), (value, name) =>
      value === null && !Object.hasOwn(known, name) ? {} : undefined,
    )
  const { detect, confirm } = before
  return {
    ...changed,
    detect: {
      ...changed.detect,
      own: { ...changed.detect.own, ...absentIn('detect', { ...detectKeys, ...detect.own }) },
      tools: { ...changed.detect.tools, ...absentIn('detect.tools', detect.tools) },
      nodes: { ...changed.detect.nodes, ...absentIn('detect.nodes', detect.nodes) },
    },
    confirm: { ...changed.confirm, ...absentIn('confirm', confirm) },
  }
}

function mapAt(value: Json, path: string) {
  const found = valueAt(value, path)
  return isMap(found) ? found : {}
}

function unknownNames({ machine, tools }: Graph, policy: Policy): readonly Fault[] {
  const nodes = machine.chart.states.filter(
    ({ kind, id }) =>
      (kind === 'atomic' || kind === 'final') &&
      !RESERVED.includes(id.slice(id.lastIndexOf('.') + 1)),
  )
  const known = { tool: new Set(Object.keys(tools)), node: new Set(nodes.map(({ id }) => id)) }
  return [...partFaults(policy, machine.parts), ...policyNameFaults(policy, known)]
}
