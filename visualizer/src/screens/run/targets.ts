/** The states at which a longer step ends. */
import { around } from '../../data/chart-index.ts'
import type { RunModel } from '../../data/run-model.ts'

/** The active states without children: a lap ends when one of them is entered again. */
export function lapTargets(model: RunModel): readonly string[] {
  const { active } = model.journal.overlayAt(model.journal.end)
  return [...active].filter(state => !model.index?.children.has(state))
}

/** All states but the active one: a step over it runs all that its node does. */
export function overTargets(model: RunModel): readonly string[] {
  const leaves = new Set(lapTargets(model))
  return statesOf(model).filter(id => !leaves.has(id))
}

/** All states outside the innermost box around the active state. */
export function outTargets(model: RunModel): readonly string[] {
  const { index } = model
  const [leaf] = lapTargets(model)
  if (!index || leaf === undefined) return []
  const [box] = around(index, leaf)
  return statesOf(model).filter(
    id => id !== leaf && (box === undefined || !around(index, id).includes(box)),
  )
}

const statesOf = ({ index }: RunModel): readonly string[] =>
  index?.chart.states.map(({ id }) => id) ?? []
