/** The fields of an injection: the next calls of a tool or model fail, or a person answers them. */
import { CLASSES } from '../../../../src/core/watch/failure/failure-class.ts'
import type { FailureClass } from '../../../../src/core/watch/failure/failure.ts'
import type { Json } from '../../../../src/core/watch/data/json.ts'
import { Field } from '../../design/parts.tsx'

/** What a person has typed. */
export interface InjectionDraft {
  /** `tool NAME` or `model NAME`; `''` before one is chosen. */
  readonly target: string
  readonly with: 'failure' | 'answer'
  readonly failure: FailureClass
  /** JSON; for a model, also plain text. */
  readonly answer: string
  readonly times: number
}

export const NO_INJECTION: InjectionDraft = {
  ...{ target: '', with: 'failure', failure: 'transient', answer: '', times: 1 },
}

interface InjectionFieldsProps {
  readonly draft: InjectionDraft
  readonly targets: readonly string[]
  readonly onChange: (draft: InjectionDraft) => void
  /** The choice that injects nothing. Absent: one must be chosen. */
  readonly none?: string
}

export function InjectionFields({ draft, targets, onChange, none }: InjectionFieldsProps) {
  const set = (change: Partial<InjectionDraft>) => onChange({ ...draft, ...change })
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
          <fieldset className="switch">
            <legend className="visually-hidden">Failure or answer</legend>
            {(['failure', 'answer'] as const).map(id => (
              <label key={id}>
                <input
                  type="radio"
                  name="injection"
                  checked={draft.with === id}
                  onChange={() => set({ with: id })}
                />
                <span>{id === 'failure' ? 'It fails' : 'I answer'}</span>
              </label>
            ))}
          </fieldset>
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
            <Field
              label="Answer"
              hint={
                draft.target.startsWith('model')
                  ? 'Text, or JSON with text and calls: {"calls": [{"tool": "search", "args": {}}]}'
                  : 'The result as JSON.'
              }
            >
              <textarea
                rows={4}
                spellCheck={false}
                value={draft.answer}
                onChange={event => set({ answer: event.target.value })}
              />
            </Field>
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
export function injectionOf({ target, with: kind, failure, answer, times }: InjectionDraft) {
  const [of = '', ...name] = target.split(' ')
  const base = { kind: of as 'tool' | 'model', name: name.join(' '), times }
  return kind === 'failure'
    ? { ...base, class: failure }
    : { ...base, result: answerIn(answer, of === 'model') }
}

function answerIn(text: string, isModel: boolean): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (isModel && text.trim() !== '' && !/^\s*[[{]/.test(text)) return text
    throw new Error(`Answer: expected JSON. ${(error as Error).message}`)
  }
}

/** The tools and models of a spec. */
export function targetsIn(spec: unknown): readonly string[] {
  const { tools = {}, models = {} } = (spec ?? {}) as Record<string, Record<string, unknown>>
  return [
    ...Object.keys(tools).map(name => `tool ${name}`),
    ...Object.keys(models).map(name => `model ${name}`),
  ]
}
