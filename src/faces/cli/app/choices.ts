import { InvalidArgumentError } from 'commander'
import { spanIn } from '../../../core/watch/data/duration.ts'
import { SPENDABLE } from '../../../core/watch/event/spent.ts'
import type { MaxSpent } from '../print/worst-case.ts'
export { CHOSEN_RUNGS, DECISIONS, FORK_EFFECTS } from '../../../core/watch/event/event.ts'

/** The forms in which traces are recorded. */
export type TraceFormat = 'trace' | 'langgraph' | 'openai' | 'ai-sdk' | 'otel'

export const TRACE_FORMATS: readonly TraceFormat[] = [
  'trace',
  'langgraph',
  'openai',
  'ai-sdk',
  'otel',
]

export type Drawing = 'text' | 'mermaid' | 'dot' | 'json' | 'spec'

/** The projects that `init` writes. */
export const TEMPLATES = ['typescript', 'yaml'] as const
export type Template = (typeof TEMPLATES)[number]

/** The forms in which a spec is drawn. */
export const DRAWINGS: readonly Drawing[] = ['text', 'mermaid', 'dot', 'json', 'spec']

/** @throws InvalidArgumentError */
export function parseMax(text: string): MaxSpent {
  const [, name = '', amount = ''] = /^(\w+)=(.+)$/.exec(text) ?? []
  const unit = SPENDABLE.find(each => each === name)
  if (!unit)
    throw new InvalidArgumentError(`expected unit=amount, the unit one of ${SPENDABLE.join(', ')}.`)
  const value = unit === 'duration' ? (spanIn(amount) ?? Number.NaN) : Number(amount)
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY))
    throw new InvalidArgumentError(
      `${unit} expects ${unit === 'duration' ? 'a duration, as 30s or 10m' : 'a number'}, not '${amount}'.`,
    )
  return { [unit]: value }
}
