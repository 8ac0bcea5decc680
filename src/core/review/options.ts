/** What may be answered to a question, and where each answer would lead: found out by `advance` itself, nothing is done. */
import { advance } from '../advance.ts'
import type { AgentMachine } from '../graph/agent-machine.ts'
import type { Ending, Run } from '../run.ts'
import type { Stamped } from '../watch/event/event.ts'
import { isReason } from '../watch/escape/rungs.ts'
import { choiceOf, escapeRoutesOf } from '../escape-routes.ts'
import { type Answer, type Asked, decisionsFor } from '../answer.ts'

export interface Option extends Answer {
  readonly leads: Preview
}

/** Where a run would be after an event. */
export interface Preview {
  /** The states it would be in. */
  readonly in: readonly string[]
  /** The effects that would be promised then, and were not before. */
  readonly next: readonly string[]
  readonly ends?: Omit<Ending, 'result'>
}

const OPTIONS_MAX = 40

export function optionsOf(machine: AgentMachine, run: Run, asked: Asked): readonly Option[] {
  return possibleAnswers(machine, run, asked)
    .flatMap(answer => {
      const leads = preview(machine, run, {
        type: 'resume',
        effect: asked.id,
        ...answer,
        at: run.at,
      })
      return leads ? [{ ...answer, leads }] : []
    })
    .slice(0, OPTIONS_MAX)
}

/** Where it leads if nobody answers; `undefined` for a question without a deadline. */
export function defaultOf(machine: AgentMachine, run: Run, asked: Asked): Preview | undefined {
  return asked.deadline === undefined
    ? undefined
    : preview(machine, run, { type: 'tick', effect: asked.id, at: asked.deadline })
}

function possibleAnswers(machine: AgentMachine, run: Run, asked: Asked): readonly Answer[] {
  const decisions = decisionsFor(asked).map(decision => ({ decision }))
  if (!asked.about) return decisions
  const { from } = asked.about
  const working = machine.chart.states.filter(({ kind }) => kind === 'atomic').map(({ id }) => id)
  // Where the question was asked comes first: it is what an approval means that names nothing.
  const targets = [from, ...working.filter(id => id !== from)].filter(to =>
    machine.can(run.snapshot, { type: 'human.approved', region: asked.region, to }),
  )
  return [
    ...targets.map(to => ({ decision: 'approved' as const, to })),
    ...applicableRungs(machine, run, asked),
    ...decisions.filter(({ decision }) => decision !== 'approved'),
  ]
}

/** The ways out of the ladder that apply now. */
function applicableRungs(machine: AgentMachine, run: Run, asked: Asked): readonly Answer[] {
  const [finding] = asked.about?.because ?? []
  const targets = finding
    ? escapeRoutesOf(machine, run, asked.state)
        .alternatives(finding)
        .flatMap(({ to }) => (to === undefined ? [] : [to]))
    : []
  const wanted: readonly (Required<Pick<Answer, 'rung'>> & Pick<Answer, 'to'>)[] = [
    { rung: 'rethink' },
    ...(targets.length > 0
      ? [...new Set(targets)].map(to => ({ rung: 'alternative' as const, to }))
      : [{ rung: 'alternative' as const }]),
    { rung: 'rollback' },
  ]
  return wanted.flatMap(choice =>
    isReason(choiceOf(machine, run, asked, choice))
      ? []
      : [{ decision: 'approved' as const, ...choice }],
  )
}

function preview(machine: AgentMachine, run: Run, event: Stamped): Preview | undefined {
  const next = advance(machine, run, event)
  if (next.last.ignored) return undefined
  const active = machine.active(next.snapshot)
  const leaves = machine.chart.states
    .filter(({ kind, id }) => (kind === 'atomic' || kind === 'final') && active.has(id))
    .map(({ id }) => id)
  const known = new Set(run.pending.map(({ id }) => id))
  return {
    in: leaves,
    next: next.pending.flatMap(({ id }) => (known.has(id) ? [] : [id])),
    ...(next.ended ? { ends: endsOf(next.ended) } : {}),
  }
}

function endsOf({ outcome, reason, because }: Ending): Omit<Ending, 'result'> {
  return { outcome, reason, because }
}
