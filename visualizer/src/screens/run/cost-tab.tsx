/** What the run has spent up to the event that is looked at: by model and tool, by state, and in loops. */
import { useMemo, useState } from 'react'
import { type Cost, Costs } from '../../data/costs.ts'
import { isRepetition } from '../../data/loops.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { durationText, moneyText, numberText } from '../../design/format.ts'
import { Notice, Table } from '../../design/parts.tsx'
import { useSettled } from './use-settled.ts'

const COLUMNS = ['Calls', 'Failed', 'Tokens', 'Money', 'Time']

export function CostTab() {
  const model = useModel()
  const at = useSettled(useRun(({ at }) => at))
  const [within, setWithin] = useState<'call' | 'state'>('call')
  const [fold] = useState(() => new Costs())
  const costs = useMemo(() => fold.until(model.rows, at), [fold, model, at])
  if (costs.length === 0)
    return (
      <Notice title="No calls">
        <p>No model, tool or child thread was called up to this event.</p>
      </Notice>
    )
  const lines = within === 'call' ? costs : byState(costs)
  return (
    <div className="cost-tab">
      <fieldset className="switch">
        <legend className="visually-hidden">Sum by</legend>
        {(['call', 'state'] as const).map(id => (
          <label key={id}>
            <input
              type="radio"
              name="cost"
              checked={within === id}
              onChange={() => setWithin(id)}
            />
            <span>{id === 'call' ? 'By call' : 'By state'}</span>
          </label>
        ))}
      </fieldset>
      <Table
        label="Costs"
        kind="costs"
        columns={[within === 'call' ? 'Call' : 'State', ...COLUMNS]}
      >
        <tbody>
          {lines.map(cost => (
            <tr key={cost.key}>
              <th scope="row">
                {cost.name} {within === 'call' && <small className="muted">{cost.state}</small>}
              </th>
              <Figures cost={cost} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            <Figures cost={sumOf(costs, 'all')} />
          </tr>
        </tfoot>
      </Table>
      <LoopCosts />
    </div>
  )
}

const Figures = ({ cost }: { readonly cost: Cost }) => (
  <>
    <td className="number">{numberText(cost.calls)}</td>
    <td className="number">
      {numberText(cost.failed)}
      {cost.failed > 0 && <small className="muted">{rateText(cost)}</small>}
    </td>
    <td className="number">
      {numberText(cost.input)}
      {cost.output > 0 && <small className="muted">{numberText(cost.output)} out</small>}
    </td>
    <td className="number">{moneyText(cost.usd)}</td>
    <td className="number">{durationText(cost.ms)}</td>
  </>
)

/** The part of the attempts that failed. */
const rateText = ({ failed, attempts }: Cost): string =>
  `${Math.round((failed / attempts) * 100)} % of ${attempts}`

/** The part of the costs that loops took, up to the event that is looked at. */
function LoopCosts() {
  const loops = useRun(({ loops }) => loops)
  const found = loops.filter(({ finding }) => isRepetition(finding))
  if (found.length === 0) return null
  return (
    <section aria-label="In loops">
      <h2>In loops</h2>
      <ul className="loop-costs">
        {found.map(({ id, finding: { kind, period, repeats, burned } }) => (
          <li key={id}>
            {kind} {period} × {repeats}: {numberText(burned.tokens)} tokens, {moneyText(burned.usd)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const byState = (costs: readonly Cost[]): readonly Cost[] =>
  [...Map.groupBy(costs, ({ state }) => state)].map(([state, of]) => sumOf(of, state))

function sumOf(costs: readonly Cost[], name: string): Cost {
  const sum = (field: 'calls' | 'attempts' | 'failed' | 'input' | 'output' | 'usd' | 'ms') =>
    costs.reduce((all, cost) => all + cost[field], 0)
  return {
    ...{ key: name, kind: 'tool', name, state: name },
    ...{ calls: sum('calls'), attempts: sum('attempts'), failed: sum('failed') },
    ...{ input: sum('input'), output: sum('output'), usd: sum('usd'), ms: sum('ms') },
  }
}
