/** Output while a thread runs: its timeline, and on a terminal one line with the running calls. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentMachine } from '../../../core/graph/agent-machine.ts'
import type { Run } from '../../../core/run.ts'
import type { Stamped } from '../../../core/watch/event/event.ts'
import type { Live } from '../../../runtime/ports.ts'
import type { App } from './app.ts'
import { durationText, spentText } from '../print/amounts.ts'
import { dim, type Span, styled } from '../print/layout.ts'
import { callText, limitsOf, lineOf, nodeOf, nodeWidth } from '../print/line.ts'

/** Ms between two updates of the line. */
const UPDATE_INTERVAL = 100
/** Ms that a call runs before the line shows it. */
const SHOW_AFTER = 200

type RunningCall = Readonly<{ text: string; since: number }>

export function liveOf(
  app: Pick<App, 'note' | 'status' | 'tty'>,
  thread: string,
  machine: AgentMachine,
): { readonly live: (news: Live) => void; readonly end: () => void } {
  const width = nodeWidth(machine)
  const running = new Map<string, RunningCall>()
  let latest: Run | undefined
  let ended = false
  if (app.tty) void update()
  return { live, end }

  function live(news: Live): void {
    // The parent prints the lines of the items of a map.
    if (news.kind !== 'rows' || news.runs[0]?.parent?.item) return
    const child = news.thread === thread ? '' : `${news.thread.slice(thread.length + 1)}: `
    for (const [index, run] of news.runs.entries()) {
      const row = news.rows[index]
      if (!row) continue
      app.note(lineOf(row, { startedAt: run.startedAt, width, child }))
      track(row.event)
      if (child === '') latest = run
    }
  }

  function end(): void {
    ended = true
    app.note(latest ? [''] : [])
  }

  function track(event: Stamped): void {
    if (!('call' in event) || event.type === 'reported') return
    const text = runningText(event)
    if (text === undefined) running.delete(event.call)
    else running.set(event.call, { text: `${nodeOf(event)}  ${text}`, since: Date.now() })
  }

  async function update(): Promise<void> {
    for (; !ended; await pause(UPDATE_INTERVAL)) {
      const [first] = running.values()
      if (first && Date.now() - first.since >= SHOW_AFTER) app.status(statusOf(first))
    }
  }

  function statusOf({ text, since }: RunningCall): readonly Span[] {
    const more = running.size > 1 ? ` and ${running.size - 1} more` : ''
    const elapsed = styled(`  ⟳ ${durationText(Date.now() - since).padEnd(6)}`, 'cyan')
    const spent = latest
      ? spentText(latest.watch.account.spent, limitsOf(latest.policy), ['steps', 'usd'])
      : []
    return [elapsed, ` ${text.slice(0, 60)}${more}  `, dim('· '), ...spent]
  }
}

/** The text of a call that an event leaves running. */
function runningText(event: Stamped): string | undefined {
  if (event.type === 'tool.called') return callText(event.subject, event.args)
  if (event.type === 'model.called') return event.subject
  if (event.type !== 'call.waiting') return undefined
  if (event.since !== undefined)
    return `${event.subject} waits ${durationText(event.until - event.at)} for its breaker`
  if (event.attempt === 0)
    return `${event.subject} polls again in ${durationText(event.until - event.at)}`
  return `${event.subject} retries in ${durationText(event.until - event.at)}`
}
