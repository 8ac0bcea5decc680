/** One thread: its machine, its timeline, its evidence, and the commands to it. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import { openRequested } from '../../data/ahead.ts'
import { followThread } from '../../data/follow.ts'
import { addressNow, setQuery, useAddress } from '../../data/route.ts'
import type { RunModel } from '../../data/run-model.ts'
import { problemText } from '../../data/service.ts'
import { RunContext, useIsReadOnly, useModel, useRun } from '../../data/use-run.ts'
import { ErrorNotice, Tabs } from '../../design/parts.tsx'
import { Outline } from '../../drawing/outline.tsx'
import { Statechart } from '../../drawing/statechart.tsx'
import { type ActionContext, BREAKPOINT, KEYED, LOOKING, type OpenDialog } from './actions.ts'
import { type Commands, useCommands } from './commands.ts'
import { ClosedQuestion } from './closed-question.tsx'
import { CostTab } from './cost-tab.tsx'
import { EventTab } from './event-tab.tsx'
import { LoopTab } from './loop-tab.tsx'
import { MessagesTab } from './messages-tab.tsx'
import { QuestionCard } from './question-card.tsx'
import { RunHeader } from './run-header.tsx'
import { StateTab } from './state-tab.tsx'
import { Timeline } from './timeline.tsx'
import { Toolbar } from './toolbar.tsx'
import { useBreakpoints } from './use-breakpoints.ts'
import { HeatSelect } from '../heat-select.tsx'
import { ViewSwitch, viewIn } from '../view-switch.tsx'
import { useRunKeys } from './use-keys.ts'
import { type ThreadStatus, useThreadState } from './use-state.ts'

export function RunScreen({ thread }: { readonly thread: string }) {
  const [model, setModel] = useState<RunModel>()
  const [problem, setProblem] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the thread again.
  useEffect(() => {
    const left = new AbortController()
    setModel(undefined)
    setProblem(undefined)
    openRequested(thread, left.signal).then(
      opened => {
        if (left.signal.aborted) return
        setModel(opened.model)
        void followThread(opened, left.signal)
      },
      error => {
        if (!left.signal.aborted) setProblem(problemText(error))
      },
    )
    return () => left.abort()
  }, [thread, attempt])
  if (problem !== undefined)
    return (
      <div className="screen">
        <h1>{thread}</h1>
        <ErrorNotice message={problem} retry={() => setAttempt(attempt + 1)} />
      </div>
    )
  if (!model) return <p className="muted loading">Opening {thread}…</p>
  return <RunView model={model} />
}

/** A thread of the service or of a file. */
export function RunView({ model }: { readonly model: RunModel }) {
  return (
    <RunContext value={model}>
      <Run />
    </RunContext>
  )
}

type TabId = 'loop' | 'state' | 'messages' | 'cost' | 'event'

function Run() {
  const model = useModel()
  const { query } = useAddress()
  const commands = useCommands(model)
  const status = useThreadState(model)
  const isReadOnly = useIsReadOnly()
  const [dialog, open] = useState<OpenDialog>()
  const { at } = query
  const view = viewIn(query.view)
  useEffect(() => {
    if (at !== undefined) model.seek(Number(at))
  }, [model, at])
  const select = useCallback((state: string | undefined) => setQuery({ sel: state }), [])
  const breakpoints = useBreakpoints(model, commands)
  const context: ActionContext = { model, commands, status, open, selected: query.sel, breakpoints }
  useRunKeys(context, isReadOnly ? LOOKING : KEYED)
  return (
    <div className="run">
      <AddressOfEvent />
      <RunHeader status={status} commands={commands} />
      <Toolbar context={context} dialog={dialog} />
      <div className="run-body">
        <section className="chart-panel" aria-label="Machine">
          <div className="chart-tools">
            <ViewSwitch view={view} />
            <HeatSelect />
            {query.sel !== undefined && !isReadOnly && (
              <button
                type="button"
                className="button is-plain"
                aria-pressed={breakpoints.nodes.has(query.sel)}
                aria-keyshortcuts={BREAKPOINT.key}
                onClick={BREAKPOINT.of(context)}
              >
                Breakpoint on {query.sel} <kbd>{BREAKPOINT.key}</kbd>
              </button>
            )}
          </div>
          {model.graph.chart === undefined ? (
            <p className="notice">
              This thread has no graph that could be drawn: another framework ran the agent, or only
              its own program has the graph. Its timeline, messages and findings are complete.
            </p>
          ) : view === 'outline' ? (
            <Outline selected={query.sel} onSelect={select} />
          ) : (
            <Statechart selected={query.sel} onSelect={select} breakpoints={breakpoints.nodes} />
          )}
        </section>
        <Evidence
          tab={query.tab as TabId | undefined}
          since={numberIn(query.since)}
          status={status}
          commands={commands}
        />
        <Timeline
          view={query.timeline === 'list' ? 'list' : 'lanes'}
          when={query.when}
          breakpoints={breakpoints}
        />
      </div>
    </div>
  )
}

/** The browser limits how often a page changes its address. */
const ADDRESS_EVERY_MS = 300

/** Has the address name the event that is looked at. A component, so that a seek renders this alone. */
function AddressOfEvent() {
  const wanted = useRun(model => model.wanted)
  useEffect(() => {
    const at = wanted === undefined ? undefined : String(wanted)
    const before = addressNow().query.at
    const timer = setTimeout(() => {
      // A link that was opened meanwhile wins.
      if (addressNow().query.at === before) setQuery({ at })
    }, ADDRESS_EVERY_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  return null
}

interface EvidenceProps {
  readonly tab: TabId | undefined
  /** The event with which the state is compared. */
  readonly since: number | undefined
  readonly status: ThreadStatus
  readonly commands: Commands
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined

function Evidence({ tab = 'loop', since, status, commands }: EvidenceProps) {
  const found = useRun(({ loops }) => loops.length)
  const { state } = status
  const questions = useMemo(
    () => state?.questions.filter(({ thread }) => thread === undefined),
    [state],
  )
  return (
    <div className="evidence">
      <ClosedQuestion open={questions} />
      {questions?.map(question => (
        <QuestionCard key={question.id} question={question} commands={commands} />
      ))}
      <Tabs
        label="Evidence"
        tabs={[
          { id: 'loop', name: 'Loop', count: found },
          { id: 'state', name: 'State' },
          { id: 'messages', name: 'Messages' },
          { id: 'cost', name: 'Cost' },
          { id: 'event', name: 'Events' },
        ]}
        current={tab}
        onChange={id => setQuery({ tab: id === 'loop' ? undefined : id })}
      >
        {tab === 'loop' && <LoopTab commands={commands} />}
        {tab === 'state' && <StateTab since={since} />}
        {tab === 'messages' && <MessagesTab />}
        {tab === 'cost' && <CostTab />}
        {tab === 'event' && <EventTab />}
      </Tabs>
    </div>
  )
}
