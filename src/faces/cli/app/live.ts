/** A thread while it runs: its timeline, and on a terminal one line with the calls that are running. */
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
const EACH = 100
/** Ms that a call runs before the line shows it. */
const PATIENCE = 200

interface Running {
  readonly text: string
  readonly since: number
}

export function liveOf(
  app: Pick<App, 'note' | 'status' | 'tty'>,
  thread: string,
  machine: AgentMachine,
): { readonly live: (news: Live) => void; readonly end: () => void } {
  const width = nodeWidth(machine)
  const running = new Map<string, Running>()
  let latest: Run | undefined
  let ended = false
  if (app.tty) void update()
  return { live, end }

  function live(news: Live): void {
    // The parent of the items of a map has lines for them.
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
    const since = Date.now()
    const node = nodeOf(event)
    if (event.type === 'tool.called')
      running.set(event.call, { text: `${node}  ${callText(event.subject, event.args)}`, since })
    else if (event.type === 'model.called')
      running.set(event.call, { text: `${node}  ${event.subject}`, since })
    else if (event.type === 'call.waiting') {
      const wait = durationText(event.until - event.at)
      running.set(event.call, { text: `${node}  ${event.subject} retries in ${wait}`, since })
    } else running.delete(event.call)
  }

  async function update(): Promise<void> {
    for (; !ended; await pause(EACH)) {
      const [first] = running.values()
      if (first && Date.now() - first.since >= PATIENCE) app.status(statusOf(first))
    }
  }

  function statusOf({ text, since }: Running): readonly Span[] {
    const more = running.size > 1 ? ` and ${running.size - 1} more` : ''
    const elapsed = styled(`  ⟳ ${durationText(Date.now() - since).padEnd(6)}`, 'cyan')
    const spent = latest
      ? spentText(latest.watch.account.spent, limitsOf(latest.policy), ['steps', 'usd'])
      : []
    return [elapsed, ` ${text.slice(0, 60)}${more}  `, dim('· '), ...spent]
  }
}
