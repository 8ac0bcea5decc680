/** One line for one event of a journal. */
import type { Row } from '../../src/core/run/run.ts'
import type { CallEvent, CircuitEvent, Spent } from '../../src/core/watch/event/call-event.ts'
import type { ChildEvent, Item, Stamped, PeerSummary } from '../../src/core/watch/event/event.ts'
import { POLICY } from '../../src/core/watch/policy/policy.ts'
import { bill, clock, failureText, short } from './print.ts'

export function rowText({ event, edges }: Row): string {
  const way =
    edges.length > 0 ? `  ⇒ ${edges.map(edge => edge.replace(/^.*>/, '')).join(', ')}` : ''
  return `${event.type.padEnd(16)} ${detailOf(event)}${way}`.trimEnd()
}

function detailOf(event: Stamped): string {
  switch (event.type) {
    case 'thread.started':
      return JSON.stringify(event.input)
    case 'policy.changed':
      return event.change === undefined ? '' : JSON.stringify(event.change)
    case 'turn.started':
      return `${short(event.effect)}${event.epoch > 1 ? ` by driver ${event.epoch}` : ''}`
    case 'tick':
      return short(event.effect)
    case 'node.done':
      return `${short(event.effect)} ${JSON.stringify(event.output)}${event.label === undefined ? '' : ` as ${event.label}`}`
    case 'node.failed':
      return `${short(event.effect)} ${failureText(event.failure)}`
    case 'reported':
      return `${event.call} ${JSON.stringify(event.note)}`
    case 'resume':
      return `${event.effect} ${event.rung ?? event.decision}${event.to === undefined ? '' : ` to ${event.to}`}${event.output === undefined ? '' : ` ${JSON.stringify(event.output)}`}`
    case 'notified':
      return `${event.effect} by ${event.notifier}${event.step > 0 ? `, step ${event.step}` : ''}: ${event.ok ? 'delivered' : 'failed'} after ${event.attempts} attempts${event.detail === '' ? '' : ` (${event.detail})`}`
    case 'scope.noted':
      return `${event.scope} (${event.key}) ${noteText(event)}`
    case 'cancel':
      return event.reason
    case 'turn.left':
    case 'node.expired':
    case 'rollback.done':
      return event.effect
    case 'rollback.failed':
      return `${event.effect} ${event.undone ?? ''} ${failureText(event.failure)}`
    case 'migrated':
      return `to ${event.node} with ${JSON.stringify(event.channels)}`
    case 'forked':
      return `from ${event.parent.thread} after ${event.parent.seq}, effects ${event.effects}`
    case 'message':
      return JSON.stringify(event.input)
    case 'round.started':
      return ''
    case 'child.waiting':
      return `${short(event.effect)} rests on ${event.children.map(({ call }) => call).join(', ')}`
    case 'child.ended':
      return event.call
    case 'pause':
      return event.before ?? event.reason ?? ''
    case 'continue':
    case 'step':
      return ''
    case 'escape':
      return `${event.rung}${event.to === undefined ? '' : ` to ${event.to}`}`
    case 'stop':
      return event.reason
    case 'dismiss':
      return event.finding.id
    case 'deadlock.found':
      return `${event.call} ${event.threads.join(' → ')}${event.escapes ? ' (escapes)' : ''}`
    case 'inject':
      return `${event.kind} ${event.name} ${event.class} ${event.times}: ${event.message}`
    default:
      return `${event.call} ${event.subject} ${callDetail(event)}${event.recorded ? ' (recorded)' : ''}${event.more ? ' (others are still out)' : ''}`
  }
}

function noteText({ spent, loops, dismissed, held }: PeerSummary): string {
  const parts = [
    `others spent ${bill(spent) || 'nothing'}`,
    ...loops.map(
      ({ id, threads }) => `${id} met by ${threads.map(({ thread }) => thread).join(', ')}`,
    ),
    ...dismissed.map(({ id }) => `${id} is dismissed`),
    ...(held ? [`held by ${held.thread} (${held.effect})`] : []),
  ]
  return parts.join('; ')
}

type OfCall = Stamped<CallEvent | CircuitEvent | Exclude<ChildEvent, { type: 'child.waiting' }>>

function callDetail(event: OfCall): string {
  switch (event.type) {
    case 'call.proposed':
      return JSON.stringify(event.args)
    case 'tool.called':
      return `${JSON.stringify(event.args)}${event.attempt > 1 ? ` attempt ${event.attempt}` : ''}${event.compensates === undefined ? '' : ` undoing ${event.compensates}`}${insteadOf(event)}`
    case 'tool.done':
      return `→ ${JSON.stringify(event.result)}${event.cut === undefined ? '' : ` cut from ${event.cut}`}${triesText(event)}`
    case 'model.called':
      return `${event.attempt > 1 ? `attempt ${event.attempt}` : ''}${insteadOf(event)}`.trim()
    case 'model.done':
      return `→ ${event.calls.map(({ tool, args }) => `wants ${tool} ${JSON.stringify(args)}`).join(' & ') || event.text}`
    case 'tool.failed':
    case 'model.failed':
      return `attempt ${event.attempt}${triesText(event)}: ${failureText(event.failure)}${event.final ? '' : ', not for good'}`
    case 'call.waiting':
      return event.since === undefined
        ? event.attempt === 0
          ? `polls again in ${clock(event.until - event.at)}`
          : `attempt ${event.attempt + 1} comes later`
        : `attempt ${event.attempt + 1} waits up to ${clock(event.until - event.at)} for the breaker`
    case 'call.reconciled':
      return `${event.answer}, says the ${event.by}: ${JSON.stringify(event.result)}`
    case 'call.late':
      return `${event.ok ? '→' : 'failed:'} ${JSON.stringify(event.result)}${event.compensates === undefined ? '' : ` undoing ${event.compensates}`}`
    case 'child.started':
      return `${itemText(event)}may spend ${Object.entries(event.reserved)
        .filter(([unit, share]) => unit === 'steps' || isOfStory(unit as keyof Spent, share))
        .map(([unit, share]) => `${Number(share.toFixed(4))} ${unit}`)
        .join(', ')}`
    case 'child.done':
      return `${itemText(event)}→ ${event.outcome}: ${event.reason} ${JSON.stringify(event.result)}${event.cut === undefined ? '' : ` cut from ${event.cut}`}`
    case 'child.refused':
      return `${itemText(event)}${failureText(event.failure)}`
    case 'circuit.refused':
      return failureText(event.failure)
    case 'call.substituted':
      return `is out of order: ${event.by} answers`
    case 'circuit.opened':
      return `after ${event.failures} failures`
    default:
      return ''
  }
}

function insteadOf({ instead }: { readonly instead?: string }): string {
  return instead === undefined ? '' : ` instead of ${instead}`
}

function triesText({ tries }: { readonly tries?: number }): string {
  return tries === undefined ? '' : ` (tried ${tries} times)`
}

function itemText({ item }: { readonly item?: Item }): string {
  return item ? `item ${item.index + 1} of ${item.of} ` : ''
}

/** Default limits are far above those of stories: a share of a default is left out. */
function isOfStory(unit: keyof Spent, share: number): boolean {
  return share < (POLICY.limits[unit] ?? 0) / 10
}
