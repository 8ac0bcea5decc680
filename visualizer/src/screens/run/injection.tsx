/** The fields of an injection: the next calls of a tool or model fail, or a person answers them. */
import { useMemo, useState } from 'react'
import { CLASSES } from '../../../../src/core/watch/failure/failure-class.ts'
import type { FailureClass } from '../../../../src/core/watch/failure/failure.ts'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import type { ThreadGraph } from '../../../../src/host/thread/thread-graph.ts'
import { Choices, Field } from '../../design/parts.tsx'
import { JsonInput } from '../../form/json-input.tsx'
import type { JsonSchema } from '../../form/shape.ts'
import { type Draft, useDraft } from '../../form/use-draft.ts'

/** What a person has typed. */
interface InjectionDraft {
  /** `tool NAME` or `model NAME`; `''` before one is chosen. */
  readonly target: string
  readonly with: 'failure' | 'answer'
  readonly failure: FailureClass
  readonly times: number
}

const NO_INJECTION: InjectionDraft = {
  ...{ target: '', with: 'failure', failure: 'transient', times: 1 },
}

/** An injection while it is typed. */
export interface Injecting {
  readonly draft: InjectionDraft
  readonly setDraft: (draft: InjectionDraft) => void
  readonly targets: readonly string[]
  /** JSON; for a model, also plain text. The schema is that of the results of the tool. */
  readonly answer: Draft
}

export function useInjection(
  graph: ThreadGraph,
  start?: (targets: readonly string[]) => string,
): Injecting {
  const targets = useMemo(() => targetsIn(graph.spec), [graph])
  const [draft, setDraft] = useState({ ...NO_INJECTION, target: start?.(targets) ?? '' })
  const answer = useDraft(resultSchema(graph, draft.target), '')
  return { draft, setDraft, targets, answer }
}

interface InjectionFieldsProps {
  readonly injecting: Injecting
  /** The choice that injects nothing. Absent: one must be chosen. */
  readonly none?: string
}

const KINDS = [
  { id: 'failure', name: 'It fails' },
  { id: 'answer', name: 'I answer' },
] as const

export function InjectionFields({ injecting, none }: InjectionFieldsProps) {
  const { draft, setDraft, targets, answer } = injecting
  const set = (change: Partial<InjectionDraft>) => setDraft({ ...draft, ...change })
  return (
    <>
      <Field label="Tool or model">
        <select value={draft.target} onChange={event => set({ target: event.target.value })}>
          {none !== undefined && <option value="">{none}</option>}
          {targets.map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      {draft.target !== '' && (
        <>
          <Choices
            label="Failure or answer"
            choices={KINDS}
            current={draft.with}
            onChange={id => set({ with: id })}
          />
          {draft.with === 'failure' ? (
            <Field label="Class of the failure">
              <select
                value={draft.failure}
                onChange={event => set({ failure: event.target.value as FailureClass })}
              >
                {CLASSES.map(name => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </Field>
          ) : (
            <JsonInput
              label="Answer"
              hint={
                draft.target.startsWith('model')
                  ? 'Text, or JSON with text and calls: {"calls": [{"tool": "search", "args": {}}]}'
                  : 'The result as JSON.'
              }
              draft={answer}
              rows={4}
            />
          )}
          <Field label="Calls">
            <input
              type="number"
              min={1}
              max={1000}
              value={draft.times}
              onChange={event => set({ times: Number(event.target.value) })}
            />
          </Field>
        </>
      )}
    </>
  )
}

/** The injection that the command takes. @throws Error that names the fault */
export function injectionOf({ draft, answer }: Injecting) {
  const [of = '', ...name] = draft.target.split(' ')
  const base = { kind: of as 'tool' | 'model', name: name.join(' '), times: draft.times }
  if (draft.with === 'failure') return { ...base, class: draft.failure }
  const known = answer.schema === undefined ? undefined : answer.accept()
  const [fault] = answer.schema === undefined ? [] : answer.faults
  if (fault) throw new Error(`Answer: ${fault.path && `${fault.path}: `}${fault.message}`)
  return { ...base, result: known ?? answerIn(answer.text, of === 'model') }
}

function answerIn(text: string, isModel: boolean): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (isModel && text.trim() !== '' && !/^\s*[[{]/.test(text)) return text
    throw new Error(`Answer: expected JSON. ${(error as Error).message}`)
  }
}

/** The schema of the results of a tool that has a contract. */
function resultSchema({ results = {} }: ThreadGraph, target: string): JsonSchema | undefined {
  const [kind, ...name] = target.split(' ')
  return kind === 'tool' ? results[name.join(' ')] : undefined
}

/** The tools and models of a spec. */
function targetsIn(spec: unknown): readonly string[] {
  const { tools = {}, models = {} } = (spec ?? {}) as Record<string, Record<string, unknown>>
  return [
    ...Object.keys(tools).map(name => `tool ${name}`),
    ...Object.keys(models).map(name => `model ${name}`),
  ]
}
