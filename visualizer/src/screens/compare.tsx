/** Two threads, or a fork and its parent: where they part, how each ended, and what each cost. */
import { useEffect, useState } from 'react'
import { type ComparedStep, compareRuns } from '../data/compare.ts'
import { loadThread } from '../data/follow.ts'
import { escapesIn, isRepetition, loopsIn } from '../data/loops.ts'
import { threadLink } from '../data/route.ts'
import type { RunModel } from '../data/run-model.ts'
import { problemText } from '../data/service.ts'
import { durationText, moneyText, numberText } from '../design/format.ts'
import { ErrorNotice, Notice, Table, Tag } from '../design/parts.tsx'

interface CompareScreenProps {
  readonly a: string
  readonly b: string
}

export function CompareScreen({ a, b }: CompareScreenProps) {
  const [models, setModels] = useState<readonly [RunModel, RunModel]>()
  const [problem, setProblem] = useState<unknown>()
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    setModels(undefined)
    Promise.all([loadThread(a, signal), loadThread(b, signal)]).then(
      loaded => {
        if (!signal.aborted) setModels(loaded)
      },
      error => {
        if (!signal.aborted) setProblem(error)
      },
    )
    return () => left.abort()
  }, [a, b])
  if (problem !== undefined)
    return (
      <div className="screen">
        <h1>Compare</h1>
        <ErrorNotice message={problemText(problem)} />
      </div>
    )
  if (!models) return <p className="muted loading">Comparing…</p>
  return <Compared models={models} />
}

/** The steps before the first difference that are shown, and those after it. */
const BEFORE = 3
const AFTER = 40

function Compared({ models }: { readonly models: readonly [RunModel, RunModel] }) {
  const [one, other] = models
  const { common, a, b } = compareRuns(one.rows, other.rows)
  const isSame = common === a.length && common === b.length
  const from = Math.max(0, common - BEFORE)
  return (
    <div className="screen">
      <header className="screen-header">
        <h1>Compare</h1>
      </header>
      <Totals models={models} />
      {isSame ? (
        <Notice title="The runs are the same">
          <p>All {common} calls, answers and outcomes are equal.</p>
        </Notice>
      ) : (
        <>
          <h2>First difference</h2>
          <p>
            {common === 0
              ? 'The runs differ from their first step.'
              : `The first ${common} calls, answers and outcomes are equal.`}
          </p>
          <div className="compare-steps">
            <Steps model={one} steps={a} from={from} common={common} />
            <Steps model={other} steps={b} from={from} common={common} />
          </div>
        </>
      )}
    </div>
  )
}

interface StepsProps {
  readonly model: RunModel
  readonly steps: readonly ComparedStep[]
  readonly from: number
  readonly common: number
}

function Steps({ model, steps, from, common }: StepsProps) {
  const shown = steps.slice(from, common + AFTER)
  const more = steps.length - common - AFTER
  return (
    <section aria-label={model.thread}>
      <h3>
        <a href={threadLink(model.thread)}>{model.thread}</a>
      </h3>
      <ol>
        {shown.map(({ seq, type, text }, index) => (
          <li key={seq} className={from + index < common ? 'is-common' : 'is-own'}>
            <a href={threadLink(model.thread, { at: String(seq) })}>{seq}</a>{' '}
            <span className="event-type">{type}</span> {text}
          </li>
        ))}
        {shown.length === 0 && <li className="muted">No further step.</li>}
        {more > 0 && <li className="muted">{numberText(more)} more steps</li>}
      </ol>
    </section>
  )
}

function Totals({ models }: { readonly models: readonly [RunModel, RunModel] }) {
  const figures = models.map(figuresOf)
  const names = Object.keys(figures[0] ?? {})
  return (
    <Table label="Outcome and cost" columns={['Figure', ...models.map(({ thread }) => thread)]}>
      <tbody>
        {names.map(name => {
          const [one, other] = figures.map(each => each[name] ?? '')
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{one}</td>
              <td>
                {other} {one !== other && <Tag tone="warn">differs</Tag>}
              </td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}

function figuresOf({ rows, journal }: RunModel): Readonly<Record<string, string>> {
  const { totals } = journal.overlayAt(journal.end)
  const ended = rows.findLast(row => row.ended)?.ended
  const loops = loopsIn(rows, journal.end).filter(({ finding }) => isRepetition(finding))
  const [first, last] = [rows[0], rows.at(-1)]
  const burned = loops.reduce((sum, { finding }) => sum + finding.burned.usd, 0)
  return {
    Outcome: ended ? `${ended.outcome} (${ended.reason})` : 'open',
    Events: numberText(rows.length),
    'Model calls': numberText(totals.modelCalls),
    'Tool calls': numberText(totals.toolCalls),
    Failures: numberText(totals.failures),
    Loops: `${loops.length}${burned > 0 ? `, ${moneyText(burned)} burned` : ''}`,
    Escapes:
      escapesIn(rows, journal.end)
        .map(({ route }) => route.rung)
        .join(', ') || 'none',
    Tokens: numberText(totals.tokens),
    Cost: moneyText(totals.usd),
    Time: durationText((last?.event.at ?? 0) - (first?.event.at ?? 0)),
  }
}
