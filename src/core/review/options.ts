/** The possible answers to a question, and where each one leads. `advance` computes this; nothing is performed. */
import { advance } from '../advance.ts'
import { type Answer, decisionsFor } from '../answer.ts'
import type { Interrupt } from '../effects.ts'
import { choiceOf, MachineRoutes } from '../escape-routes.ts'
import type { AgentMachine } from '../graph/agent-machine.ts'
import type { Ending, Run } from '../run.ts'
import { isReason } from '../watch/escape/rungs.ts'
import type { Stamped } from '../watch/event/event.ts'

export interface Option extends Answer {
  readonly leads: Preview
}

/** Where a run would be after an event. */
export interface Preview {
  /** The states it would be in. */
  readonly in: readonly string[]
  /** The effects that the event would add. */
  readonly next: readonly string[]
  readonly ends?: Omit<Ending, 'result'>
}

const OPTIONS_MAX = 40

export function optionsOf(machine: AgentMachine, run: Run, asked: Interrupt): readonly Option[] {
  return possibleAnswers(machine, run, asked)
    .flatMap(answer => {
      const resume = { type: 'resume', effect: asked.id, ...answer, at: run.at } as const
      const leads = preview(machine, run, resume)
      return leads ? [{ ...answer, leads }] : []
    })
    .slice(0, OPTIONS_MAX)
}

/** Where the end of the deadline leads. Returns `undefined` for a question without a deadline. */
export function defaultOf(machine: AgentMachine, run: Run, asked: Interrupt): Preview | undefined {
  const { id: effect, deadline: at } = asked
  return at === undefined ? undefined : preview(machine, run, { type: 'tick', effect, at })
}

function possibleAnswers(machine: AgentMachine, run: Run, asked: Interrupt): readonly Answer[] {
  const decisions = decisionsFor(asked).map(decision => ({ decision }))
  if (!asked.about) return decisions
  const { from } = asked.about
  const working = machine.chart.states.filter(({ kind }) => kind === 'atomic').map(({ id }) => id)
  // The state that asked comes first. It is the target of an approval without one.
  const targets = [from, ...working.filter(id => id !== from)].filter(to =>
    machine.can(run.snapshot, { type: 'human.approved', region: asked.region, to }),
  )
  const approvals = [...targets.map(to => ({ to })), ...applicableRungs(machine, run, asked)]
  return [
    ...approvals.map(choice => ({ decision: 'approved' as const, ...choice })),
    ...decisions.filter(({ decision }) => decision !== 'approved'),
  ]
}

/** The rungs that apply now. */
function applicableRungs(machine: AgentMachine, run: Run, asked: Interrupt) {
  const [finding] = asked.about?.because ?? []
  const edges = finding ? new MachineRoutes(machine, run, asked.state).alternatives(finding) : []
  const targets = new Set(edges.flatMap(({ to }) => to ?? []))
  const alternatives = targets.size > 0 ? [...targets].map(to => ({ to })) : [{}]
  const choices: readonly Pick<Answer, 'rung' | 'to'>[] = [
    { rung: 'rethink' },
    ...alternatives.map(target => ({ rung: 'alternative' as const, ...target })),
    { rung: 'rollback' },
  ]
  return choices.filter(choice => !isReason(choiceOf(machine, run, asked, choice)))
}

function preview(machine: AgentMachine, run: Run, event: Stamped): Preview | undefined {
  const { last, snapshot, pending, ended } = advance(machine, run, event)
  if (last.ignored) return undefined
  const active = machine.active(snapshot)
  const leaves = machine.chart.states.filter(
    ({ kind, id }) => (kind === 'atomic' || kind === 'final') && active.has(id),
  )
  const known = new Set(run.pending.map(({ id }) => id))
  return {
    in: leaves.map(({ id }) => id),
    next: pending.flatMap(({ id }) => (known.has(id) ? [] : [id])),
    ...(ended && {
      ends: { outcome: ended.outcome, reason: ended.reason, because: ended.because },
    }),
  }
}
