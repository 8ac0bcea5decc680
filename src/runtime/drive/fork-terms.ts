/** What a fork changes at its first event: its input, its channels, injected answers and faults, and a pause. */
import { initialRun, type Row, type Run } from '../../core/run/run.ts'
import { channelValues } from '../../core/run/view.ts'
import { codedError, type Fault, firstFaults, guardOf } from '../../core/watch/data/fault.ts'
import { defined, type Json } from '../../core/watch/data/json.ts'
import type { EventOf, Stamped } from '../../core/watch/event/event.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import { injectionRejection } from '../call/injected.ts'
import { ancestorOf } from '../child/reject-child.ts'
import { advanceRow } from '../journal/advance-row.ts'
import { type InjectionRequest, injectionCommand } from '../people/injection.ts'
import type { Ports } from '../ports.ts'
import { personEvent } from '../store/person-event.ts'
import { checkInput } from './start-terms.ts'

/** The options of a fork that need no event of their own in its parent. */
export interface ForkTerms {
  /** The fork starts paused: nothing runs until a person continues or steps it. */
  readonly paused?: boolean
  /** Faults and answers that its next calls meet, at most 16. */
  readonly inject?: readonly InjectionRequest[]
  /** Other values of channels. An append channel is a list. A node in progress keeps the values it has started with. */
  readonly channels?: Readonly<Record<string, Json>>
  /** Another input, for a fork at event 0. */
  readonly input?: Json
}

/** The options of the fork are not valid. */
export class InvalidFork extends codedError('InvalidFork', 'invalid-fork') {}

/** Whether an error is an `InvalidFork`. */
export const isInvalidFork = guardOf(InvalidFork)

const INJECTIONS_MAX = 16

/** The events after `forked`: first the injections, then the pause. @throws InvalidFork, InvalidEvent */
export function eventsOf(
  { graph }: Ports,
  parent: Run,
  { inject = [], paused }: ForkTerms,
): readonly EventOf<'inject' | 'pause'>[] {
  if (parent.ended && (paused || inject.length > 0))
    throw new InvalidFork(
      `paused, inject: the thread has ended at event ${parent.seq}; expected an earlier event`,
    )
  if (inject.length > INJECTIONS_MAX)
    throw new InvalidFork(`inject: expected at most ${INJECTIONS_MAX} entries`)
  const injections = inject.map((request, index) => {
    const event = injectionCommand(request)
    personEvent(event)
    const rejection = injectionRejection(graph, event)
    if (rejection) throw new InvalidFork(`inject[${index}]: ${explain(rejection)}`)
    return event
  })
  return [...injections, ...(paused ? [{ type: 'pause' as const }] : [])]
}

/** @throws InvalidFork with the path of a channel that is unknown or has another type */
export function checkChannels({ graph }: Ports, parent: Run, { channels = {} }: ForkTerms): void {
  const names = Object.keys(channels)
  if (names.length === 0) return
  const all = { ...channelValues(graph.machine, parent), ...channels }
  const isOfEdit = ({ path }: Fault) =>
    names.some(name => path.startsWith(`channels.${name}`)) || !path.startsWith('channels.')
  const faults = graph.machine.checkChannels(all).filter(isOfEdit)
  if (faults.length > 0) throw new InvalidFork(firstFaults(faults).join('; '))
}

/** The first row of a fork with another input, and the run after it. @throws InvalidFork, InvalidInput */
export function restartedWith(
  ports: Ports,
  first: Row | undefined,
  input: Json,
): { readonly rows: readonly Row[]; readonly run: Run } {
  const { graph, clock, redact } = ports
  if (first?.event.type !== 'thread.started' || first.seq !== 0)
    throw new InvalidFork('input: expected a fork at event 0')
  checkInput(graph.machine, input)
  const { at: _, lineage = [], message: __, ...rest } = first.event
  const ancestor = ancestorOf(graph, input)
  const started = {
    ...rest,
    input: redact(input),
    ...defined({ lineage: ancestor && [...lineage.slice(0, -1), ancestor] }),
  }
  const before = initialRun({ ...started, at: clock.now() } as Stamped<typeof started>)
  const [run, row] = advanceRow(ports, before, started)
  return { rows: [row], run }
}
