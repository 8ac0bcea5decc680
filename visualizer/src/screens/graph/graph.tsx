/** One graph without a run: its drawing, what lint found, the most a run can cost, and a form that starts a thread. */
import { useEffect, useMemo, useState } from 'react'
import type { Chart } from '../../../../src/core/graph/chart.ts'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import { setQuery, useAddress } from '../../data/route.ts'
import { RunModel } from '../../data/run-model.ts'
import { problemText, service } from '../../data/service.ts'
import { RunContext } from '../../data/use-run.ts'
import { ErrorNotice, Tag, JsonText } from '../../design/parts.tsx'
import { Outline } from '../../drawing/outline.tsx'
import { Statechart } from '../../drawing/statechart.tsx'
import { CoverageSection } from './coverage.tsx'
import { Cycles } from './cycles.tsx'
import { type Figure, figureText } from './figure.ts'
import { StateButton } from './state-button.tsx'
import { StartForm } from './start-form.tsx'
import { ViewSwitch, viewIn } from '../view-switch.tsx'

const NO_BREAKPOINTS: ReadonlySet<string> = new Set()

type WorstCase = Readonly<Record<string, Figure>>

interface Inspected {
  readonly specHash: string
  readonly spec: Json
  readonly findings: readonly LintFinding[]
  readonly worstCase: WorstCase
  readonly chart: Chart
}

interface LintFinding {
  readonly severity?: string
  readonly rule?: string
  readonly path?: string
  readonly message?: string
}

export function GraphScreen({ graph }: { readonly graph: string }) {
  const [inspected, setInspected] = useState<Inspected>()
  const [problem, setProblem] = useState<unknown>()
  useEffect(() => {
    let isCurrent = true
    const load = async () => {
      const [of, drawing] = await Promise.all([
        service.graph(graph),
        service.drawing(graph, 'json'),
      ])
      const { specHash, spec, findings } = of
      const worstCase = of.worstCase as WorstCase
      if (isCurrent)
        setInspected({ specHash, spec, findings, worstCase, chart: JSON.parse(drawing) })
    }
    load().catch(error => {
      if (isCurrent) setProblem(error)
    })
    return () => {
      isCurrent = false
    }
  }, [graph])
  if (problem !== undefined)
    return (
      <div className="screen">
        <h1>{graph}</h1>
        <ErrorNotice message={problemText(problem)} />
      </div>
    )
  if (!inspected) return <p className="muted loading">Loading {graph}…</p>
  return <Graph graph={graph} inspected={inspected} />
}

function Graph({ graph, inspected }: { readonly graph: string; readonly inspected: Inspected }) {
  const { query } = useAddress()
  const { specHash, spec, findings, worstCase, chart } = inspected
  const model = useMemo(() => {
    const model = new RunModel('', { graph, specHash, chart, spec })
    model.setLink({ kind: 'file' })
    return model
  }, [graph, specHash, chart, spec])
  const view = viewIn(query.view)
  const select = (state: string | undefined) => setQuery({ sel: state })
  return (
    <RunContext value={model}>
      <div className="screen graph-screen">
        <header className="screen-header">
          <h1>{graph}</h1>
          <span className="muted">version {specHash}</span>
        </header>
        <section className="chart-panel" aria-label="Machine">
          <div className="chart-tools">
            <ViewSwitch view={view} />
          </div>
          {view === 'outline' ? (
            <Outline selected={query.sel} onSelect={select} />
          ) : (
            <Statechart selected={query.sel} onSelect={select} breakpoints={NO_BREAKPOINTS} />
          )}
        </section>
        <div className="evidence graph-facts">
          <StartForm graph={graph} spec={spec} />
          <section aria-label="Static analysis">
            <h2>Static analysis</h2>
            {findings.length === 0 && <p>Lint has no findings.</p>}
            <ul className="lint">
              {findings.map(({ severity = 'warning', rule, path, message }) => (
                <li key={`${rule} ${path} ${message}`}>
                  <Tag tone={severity === 'error' ? 'bad' : 'warn'}>{severity}</Tag>{' '}
                  <LintPath path={path} chart={chart} /> {message}
                </li>
              ))}
            </ul>
            <Cycles chart={chart} steps={worstCase.steps} />
          </section>
          <CoverageSection graph={graph} chart={chart} />
          <section aria-label="Worst case">
            <h2>The most that a run can cost</h2>
            <dl className="facts worst-case">
              {Object.entries(worstCase).map(([name, figure]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <b>{figureText(name, figure)}</b>{' '}
                    <small className="muted">{figure.because}</small>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
          <details>
            <summary>Spec</summary>
            <JsonText value={spec} />
          </details>
        </div>
      </div>
    </RunContext>
  )
}

/** The place of a finding in the spec. That of a node selects its state. */
function LintPath({ path = '', chart }: { readonly path?: string; readonly chart: Chart }) {
  const node = path.split('.').findLast(part => chart.states.some(({ id }) => id === part))
  return node === undefined ? <code>{path}</code> : <StateButton state={node} name={path} />
}
