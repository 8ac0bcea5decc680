/** Requests of people to inject a fault or an answer. */
import { type Json, defined } from '../../core/watch/data/json.ts'
import type { EventOf, Injection } from '../../core/watch/event/event.ts'
import type { FailureClass } from '../../core/watch/failure/failure.ts'

/**
 * The options of `inject`. By default, one attempt fails with a transient failure. With `result`, it is answered instead: by the result
 * of a tool, or for a model by a text or `{ text, reasoning, calls }`.
 */
export type InjectionRequest = Pick<Injection, 'kind' | 'name'> &
  Partial<Pick<Injection, 'times'>> & {
    readonly class?: FailureClass
    readonly message?: string
    readonly result?: Json
  }

type InjectCommand = EventOf<'inject'>

/** The command that injects a fault or an answer, with its defaults. */
export function injectionCommand({ kind, name, ...given }: InjectionRequest): InjectCommand {
  const { class: failureClass = 'transient', message = 'injected fault', times = 1 } = given
  const of = { type: 'inject', kind, name, times } as const
  // A class beside a result is refused when the command is submitted.
  return given.result === undefined
    ? { ...of, class: failureClass, message }
    : ({ ...of, ...defined(given) } as InjectCommand)
}
