/** How often the attribution names the kind and the step of an injected fault. */
import { attributeEvents } from '../../src/core/watch/attribution/attribute.ts'
import { type Rate, wilson } from '../../src/simulate/statistics/interval.ts'
import type { Injected } from './corpus.ts'

export interface Accuracy {
  readonly kind: Rate
  /** Within one call. */
  readonly step: Rate
}

export interface Judged extends Injected {
  readonly named: string
  readonly isKind: boolean
  readonly isStep: boolean
}

export function judge(injected: Injected): Judged {
  const { rows, kind, call } = injected
  const found = attributeEvents(rows.map(({ event }) => event))
  const calls = rows.flatMap(({ event }, index) =>
    event.type === 'tool.called' || event.type === 'model.called' ? [index] : [],
  )
  const place = found ? calls.filter(index => index <= found.at).length - 1 : Number.NaN
  return {
    ...injected,
    named: found?.kind ?? 'nothing',
    isKind: found?.kind === kind,
    isStep: Math.abs(place - call) <= 1,
  }
}

export function accuracyOf(judged: readonly Judged[]): Accuracy {
  const rate = (test: (of: Judged) => boolean) => wilson(judged.filter(test).length, judged.length)
  return { kind: rate(({ isKind }) => isKind), step: rate(({ isStep }) => isStep) }
}
