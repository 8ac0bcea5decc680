/** One line about an event. */
import type { Row } from '../../../src/core/run/run.ts'
import type { EventOf } from '../../../src/core/watch/event/event.ts'
import { explain } from '../../../src/core/watch/reason/reason.ts'
import { cutText, lineText, moneyText, numberText } from '../design/format.ts'
import { routeText } from './loops.ts'

export function eventLine(row: Row): string {
  const { verdict, findings } = row
  const line = textOf(row)
  if (verdict.kind === 'escape')
    return `${line} → ${verdict.route.rung}: ${routeText(verdict.route)}`
  const [finding] = findings
  return finding ? `${line} → ${finding.kind}: ${explain(finding.reason)}` : line
}

function textOf({ event, edges }: Row): string {
  switch (event.type) {
    case 'thread.started':
      return `input ${lineText(event.input)}`
    case 'turn.started':
      return event.effect
    case 'tool.called':
      return `${event.subject} ${lineText(event.args, 100)}${attemptText(event.attempt)}`
    case 'tool.done':
      return `${event.subject} → ${lineText(event.result)}`
    case 'tool.failed':
    case 'model.failed':
    case 'circuit.refused': {
      const { failure, subject } = event
      return `${subject} failed (${failure.class}): ${cutText(failure.message, 120)}`
    }
    case 'model.called':
      return `${event.subject}, ${event.messages} messages${attemptText(event.attempt)}`
    case 'model.done': {
      const { calls, text, usage } = event
      const wanted = calls.map(({ tool, args }) => `${tool} ${lineText(args, 80)}`).join(', ')
      const cost = `${numberText(usage.input + usage.output)} tokens, ${moneyText(usage.usd)}`
      return `${event.subject}: ${wanted || cutText(text, 120)} (${cost})`
    }
    case 'node.done':
      return `${event.effect} ${event.label ?? 'done'}${edges.length > 0 ? ` · ${edges.join(', ')}` : ''}`
    case 'node.failed':
      return `${event.effect}: ${cutText(event.failure.message, 120)}`
    case 'circuit.opened':
      return `breaker of ${event.subject} opened after ${event.failures} failures`
    case 'circuit.closed':
    case 'circuit.halfOpened':
      return `breaker of ${event.subject}`
    case 'child.started':
      return `${event.subject} runs as ${event.thread}`
    case 'child.done':
      return `${event.subject}: ${event.outcome} (${event.reason})`
    case 'resume':
      return `${event.effect}: ${event.decision}${event.note ? `, “${cutText(event.note, 80)}”` : ''}`
    case 'message':
      return lineText(event.input)
    case 'inject':
      return event.result === undefined
        ? `${event.kind} ${event.name} fails ${event.times} times (${event.class})`
        : `${event.kind} ${event.name} is answered ${event.times} times`
    case 'forked':
      return `from ${event.parent.thread} at event ${event.parent.seq}, effects: ${event.effects}`
    case 'cancel':
    case 'stop':
      return event.reason
    case 'pause':
      return event.reason ?? breakpointText(event)
    default:
      return 'effect' in event ? event.effect : ''
  }
}

const attemptText = (attempt: number): string => (attempt > 1 ? `, attempt ${attempt}` : '')

const breakpointText = ({ before, met }: EventOf<'pause'>): string =>
  met ? `breakpoint: ${met.when}` : before ? `breakpoint before ${before}` : ''
