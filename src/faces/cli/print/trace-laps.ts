/** The laps of the findings in one recorded trace. What is read of the acts is read once for all findings, of which there can be many. */
import { canonical } from '../../../core/watch/data/json.ts'
import type { FindingDraft } from '../../../core/watch/event/event.ts'
import type { Act } from '../../../core/watch/trace-watcher.ts'
import { countWhile } from './ascending.ts'

type CalledAct = Act & { readonly act: 'called' }

export interface Laps {
  /** The first and the last events of the laps of a finding at the act `at`. */
  readonly shown: readonly number[]
  /** Whether each lap equals the lap before it, and if not, the number of different events. */
  readonly sameness: string
}

const SHOWN_MAX = 6
/** The events at the end that are compared: the laps of one finding can fill the whole trace. */
const COMPARED_MAX = 500

export function lapsIn(acts: readonly Act[]) {
  const calls = callsOf(acts)
  const answers = acts.flatMap(({ act }, index) => (act === 'answered' ? [index] : []))
  const texts = new Map<CalledAct, string>()
  return { lapsOf, requestText }

  function lapsOf(draft: FindingDraft, at: number): Laps {
    const { list, from, to } = eventsOf(draft, at)
    const half = SHOWN_MAX / 2
    const shown =
      to - from <= SHOWN_MAX
        ? list.slice(from, to)
        : [...list.slice(from, from + half), ...list.slice(to - half, to)]
    const first = Math.max(from, to - Math.max(COMPARED_MAX, 2 * draft.period))
    const sameness = samenessText(list.slice(first, to), draft.period)
    return {
      shown,
      sameness: first === from ? sameness : `${sameness} (the last ${to - first} events)`,
    }
  }

  /** The events of all laps, as a part of a list. A detector that names only the last lap leaves out the others: then all answers since the onset. */
  function eventsOf({ onset, period, repeats, events }: FindingDraft, at: number) {
    const named = { list: events, from: 0, to: events.length }
    if (events.length >= period * repeats) return named
    const from = countWhile(answers, answer => answer < onset)
    const to = countWhile(answers, answer => answer <= at)
    return to - from >= events.length ? { list: answers, from, to } : named
  }

  function samenessText(events: readonly number[], period: number): string {
    const requests = events.map(requestText)
    return requests.every((text, index) => index < period || text === requests[index - period])
      ? 'the same in each lap'
      : `${new Set(requests).size} different calls`
  }

  /** What an event says, or calls. Of an answer, its call. */
  function requestText(event: number): string {
    const act = acts[event]
    if (!act || act.act === 'said') return `${act?.by ?? 'it'} says ${act?.text ?? ''}`
    const call = calls[event]
    if (!call) return 'an answer'
    const text = texts.get(call) ?? `${call.tool} ${canonical(call.args)}`
    texts.set(call, text)
    return text
  }
}

/** For each act the call that it makes or answers. An answer that names no call belongs to the last one. */
function callsOf(acts: readonly Act[]): readonly (CalledAct | undefined)[] {
  const named = new Map<string, CalledAct>()
  let last: CalledAct | undefined
  return acts.map(act => {
    if (act.act === 'said') return undefined
    if (act.act === 'answered') return act.call === undefined ? last : named.get(act.call)
    last = act
    if (act.call !== undefined) named.set(act.call, act)
    return act
  })
}
