/** The row of an event: what the watchdog concludes, without the secrets in texts of custom detectors and rungs. */
import { advance, refold } from '../../core/advance.ts'
import type { Row, Run } from '../../core/run/run.ts'
import type { Verdict } from '../../core/watch/escape/ladder.ts'
import type { AgentEvent, Finding, Stamped } from '../../core/watch/event/event.ts'
import type { Ports } from '../ports.ts'

/** Applies an event at the current time, and returns the run after it with its row. */
export function advanceRow(
  { clock, graph, redact }: Pick<Ports, 'clock' | 'graph' | 'redact'>,
  before: Run,
  event: AgentEvent,
  isFollowed = () => true,
): readonly [Run, Row] {
  const { machine } = graph
  let stamped = { ...event, at: Math.max(clock.now(), before.at) } as Stamped
  let run = advance(machine, before, stamped)
  // Whether a person watches matters only after a finding. An unwatched event says so, and is applied again: a replay decides the same.
  const { last: judged, policy } = run
  if (judged.verdict.kind !== 'continue' && policy.escape.unattended && !isFollowed()) {
    stamped = { ...stamped, unattended: true }
    run = advance(machine, before, stamped)
  }
  const masked = redactJudgement(run.last, redact)
  // The run goes on from the redacted row, as in a replay.
  if (masked !== run.last)
    run = refold(machine, before, { seq: run.seq, event: stamped, ...masked })
  const { seq, last } = run
  const { findings, verdict, edges } = last
  return last.ignored || last.ended || last.rules
    ? [run, { seq, event: stamped, ...last }]
    : [run, { seq, event: stamped, findings, verdict, edges }]
}

type Redact = Ports['redact']
type Last = Run['last']

/** The same object if it contains no secrets. */
function redactJudgement(last: Last, redact: Redact): Last {
  const { findings, verdict } = last
  if (findings.length === 0 && verdict.kind === 'continue') return last
  if (redact(findings) === findings && redact(verdict) === verdict) return last
  return {
    ...last,
    findings: redactReasons(findings, redact),
    verdict: redactVerdict(verdict, redact),
  }
}

function redactVerdict(verdict: Verdict, redact: Redact): Verdict {
  if (verdict.kind === 'continue') return verdict
  const because = redactReasons(verdict.because, redact)
  if (verdict.kind === 'warn') return { ...verdict, because }
  const { route } = verdict
  return {
    ...verdict,
    because,
    considered: redactReasons(verdict.considered, redact),
    route: route.rung === 'stop' ? { ...route, reason: redact(route.reason) } : route,
  }
}

/** Only the texts: the run compares the names of nodes and the ids of loops. */
const redactReasons = <T extends Pick<Finding, 'reason'>>(of: readonly T[], redact: Redact) =>
  of.map((each): T => ({ ...each, reason: redact(each.reason) }))
