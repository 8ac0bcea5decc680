/** Merges what several spans repeat: the model asks for a call, a tool executes it, and every later request repeats both. */
import type { Act } from '../../core/watch/normalize/act.ts'

export interface TimedAct {
  /** ns since 1970. */
  readonly at: bigint
  /** `nameless`: a tool whose span lacks the id of the call; `history`: what a request to the model repeats. */
  readonly by: 'model' | 'tool' | 'nameless' | 'history'
  readonly act: Act
}

/** `acts` in the order of their times. */
export function newActs(acts: readonly TimedAct[]): readonly Act[] {
  const repeated = new Set(
    acts.flatMap(({ by, act }) => (by === 'history' && act.act === 'answered' ? [act.call] : [])),
  )
  const known = { calls: new Set<string>(), answers: new Set<string>(), texts: new Set<string>() }
  /** The calls of each tool that wait for its span, the oldest first. */
  const asked = new Map<string, string[]>()
  const names = new Map<string, string>()
  return acts.flatMap(timed => {
    const { by, act } = timed
    if (act.act === 'said') return by !== 'history' || isNew(known.texts, act.text) ? [act] : []
    if (act.act === 'called') return called(timed, act)
    const call = names.get(act.call ?? '') ?? act.call ?? ''
    // The span did not record the answer where a later request repeats another one.
    if (by !== 'history' && act.ok === null && act.text === '' && repeated.has(call)) return []
    return isNew(known.answers, call) ? [{ ...act, call }] : []
  })

  function called({ by }: TimedAct, act: Act & { readonly act: 'called' }): readonly Act[] {
    const { call = '', tool } = act
    const waiting = asked.get(tool) ?? []
    asked.set(tool, waiting)
    if (by === 'nameless') {
      const [name] = waiting.splice(0, 1)
      if (name === undefined) return isNew(known.calls, call) ? [act] : []
      names.set(call, name)
      return []
    }
    if (!isNew(known.calls, call)) {
      if (by === 'tool') waiting.splice(waiting.indexOf(call), waiting.includes(call) ? 1 : 0)
      return []
    }
    if (by === 'model') waiting.push(call)
    return [act]
  }
}

function isNew(known: Set<string>, name: string): boolean {
  const before = known.size
  return known.add(name).size > before
}
