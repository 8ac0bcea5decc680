/** Every cycle of a graph, with its bound and its ways out, or a warning. */
import { type Cycle, type CycleExit, cyclesOf } from '../../../../src/core/graph/draw/cycles.ts'
import type { Chart } from '../../../../src/core/graph/chart.ts'
import { Icon } from '../../design/icon.tsx'
import { type Figure, figureText } from './figure.ts'
import { StateButton } from './state-button.tsx'

interface CyclesProps {
  readonly chart: Chart
  /** The most steps of a run. */
  readonly steps: Figure | undefined
}

export function Cycles({ chart, steps }: CyclesProps) {
  const cycles = cyclesOf(chart)
  if (cycles.length === 0) return <p>The graph has no cycle.</p>
  return (
    <>
      <h3>Cycles</h3>
      <ul className="cycles">
        {cycles.map(cycle => (
          <li key={cycle.states.join(' ')}>
            <p className="cycle-states">
              {cycle.states.map(state => (
                <StateButton key={state} state={state} name={shortName(state)} />
              ))}
            </p>
            <Facts cycle={cycle} steps={steps} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Facts({ cycle, steps }: { readonly cycle: Cycle; readonly steps: Figure | undefined }) {
  const { exits, escapes, isCounted } = cycle
  const isBounded = isCounted && steps !== undefined && steps.most !== null
  return (
    <ul>
      <Fact isMet={isBounded}>
        {isBounded
          ? `Bound: ${figureText('steps', steps)} steps (${steps.because})`
          : 'No bound: no limit counts its states'}
      </Fact>
      <Fact isMet={exits.length > 0}>
        {exits.length > 0 ? `Exit: ${exits.map(exitText).join(', ')}` : 'No exit of its own'}
      </Fact>
      <Fact isMet={escapes.length > 0}>
        {escapes.length > 0
          ? `Escape: ${distinct(escapes).join(', ')}`
          : 'No escape: the watchdog can only stop the thread'}
      </Fact>
    </ul>
  )
}

function Fact({ isMet, children }: { readonly isMet: boolean; readonly children: string }) {
  return (
    <li className={isMet ? 'is-met' : 'is-missing'}>
      <Icon name={isMet ? 'tick' : 'warning'} label={isMet ? 'yes' : 'warning'} /> {children}
    </li>
  )
}

const exitText = ({ from, by, to }: CycleExit): string =>
  `${shortName(from)} ${by} → ${shortName(to)}`

/** An escape may start in each state of the cycle. */
const distinct = (escapes: readonly CycleExit[]): readonly string[] => [
  ...new Set(escapes.map(({ by, to }) => `${by} → ${shortName(to)}`)),
]

/** States of a hand-written statechart have the path to them as their id. */
const shortName = (state: string): string => state.split('.').at(-1) ?? state
