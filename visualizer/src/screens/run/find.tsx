/** Finds the events for which a condition is true, in the language of breakpoints. The lanes show them. */
import { useEffect, useState } from 'react'
import { canFold, searchIn } from '../../data/core-fold.ts'
import { setQuery } from '../../data/route.ts'
import type { RunModel } from '../../data/run-model.ts'
import { countSeqsUntil } from '../../data/sorted.ts'
import { problemText } from '../../data/service.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { countText } from '../../design/format.ts'
import { Button } from '../../design/parts.tsx'
import type { Breakpoints } from './use-breakpoints.ts'

/** Conditions to begin with. */
const EXAMPLES: readonly (readonly [string, string])[] = [
  ['a failed call', "event.type == 'tool.failed'"],
  ['an error class', "event.failure.class == 'transient'"],
  ['a finding', 'findings.size() > 0'],
  ['an escape', "verdict.kind == 'escape'"],
  ['an open breaker', "event.type == 'circuit.opened'"],
  ['spending', 'spent.usd >= 0.001'],
]

interface FindProps {
  /** The condition in the address. */
  readonly expression: string
  readonly breakpoints: Breakpoints
}

export function Find({ expression, breakpoints }: FindProps) {
  const model = useModel()
  const [text, setText] = useState(expression)
  const problem = useMatches(model, expression)
  const matches = useRun(({ matches }) => matches)
  const at = useRun(({ at }) => at)
  const before = matches[countSeqsUntil(matches, at - 1) - 1]
  const after = matches[countSeqsUntil(matches, at)]
  const isSet = breakpoints.conditions.has(expression)
  return (
    <form
      className="find"
      onSubmit={event => {
        event.preventDefault()
        setQuery({ when: text.trim() })
      }}
    >
      <label className="find-field">
        <span>Condition</span>
        <input
          type="search"
          value={text}
          spellCheck={false}
          list="conditions"
          placeholder="event.type == 'tool.failed' && event.subject == 'search'"
          aria-invalid={problem !== undefined}
          onChange={event => setText(event.target.value)}
        />
      </label>
      <datalist id="conditions">
        {EXAMPLES.map(([name, example]) => (
          <option key={name} value={example}>
            {name}
          </option>
        ))}
      </datalist>
      <Button icon="search" submit onClick={() => {}}>
        Find
      </Button>
      <Button icon="back" disabled={before === undefined} onClick={() => model.seek(before)}>
        Previous
      </Button>
      <Button icon="forward" disabled={after === undefined} onClick={() => model.seek(after)}>
        Next
      </Button>
      <Button
        icon="breakpoint"
        pressed={isSet}
        disabled={expression === '' || problem !== undefined}
        title="Pause the thread whenever the condition becomes true"
        onClick={() => breakpoints.toggle({ when: expression })}
      >
        {isSet ? 'Clear breakpoint' : 'Break on it'}
      </Button>
      <p role="status" className={problem === undefined ? 'muted' : 'is-error'}>
        {problem ?? (expression === '' ? '' : countText(matches.length, 'event'))}
      </p>
      {!canFold(model) && (
        <p className="muted">
          The page does not have the code of this graph, so a condition sees no `spent` and no
          `channels`.
        </p>
      )}
    </form>
  )
}

/** Keeps the matches of the model up to date. Returns what is wrong with the condition. */
function useMatches(model: RunModel, expression: string): string | undefined {
  const version = useRun(({ journal }) => journal.version)
  const [problem, setProblem] = useState<string>()
  const [search, setSearch] = useState<Awaited<ReturnType<typeof searchIn>>>()
  useEffect(() => {
    let isCurrent = true
    if (expression === '') return
    searchIn(model, expression).then(
      found => {
        if (isCurrent) setSearch(found)
      },
      error => {
        if (isCurrent) setProblem(problemText(error))
      },
    )
    return () => {
      isCurrent = false
      model.setMatches([])
    }
  }, [model, expression])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the journal has more rows.
  useEffect(() => {
    if (!search) return
    const left = new AbortController()
    search.in(model.rows, left.signal).then(
      matches => {
        if (!left.signal.aborted) model.setMatches(matches)
      },
      // The next version goes on where this one was left.
      () => {},
    )
    return () => left.abort()
  }, [search, model, version])
  return problem
}
