/** What several spans tell of one deed, told once: the model asks for a call, a tool carries it out, and every later question to the model repeats both. */
import type { Act } from '../../core/watch/normalize/act.ts'

export interface TimedAct {
  /** ns since 1970. */
  readonly at: bigint
  /** `nameless`: a tool that was not told the id of its call; `history`: what a model has been told again. */
  readonly by: 'model' | 'tool' | 'nameless' | 'history'
  readonly act: Act
}

/** `deeds` in the order of their times. */
export function newActs(deeds: readonly TimedAct[]): readonly Act[] {
  const repeated = new Set(
    deeds.flatMap(({ by, act }) => (by === 'history' && act.act === 'answered' ? [act.call] : [])),
  )
  const known = { calls: new Set<string>(), answers: new Set<string>(), words: new Set<string>() }
  /** The calls of each tool that no span of it has been matched with, the oldest first. */
  const asked = new Map<string, string[]>()
  const names = new Map<string, string>()
  return deeds.flatMap(deed => {
    const { by, act } = deed
    if (act.act === 'said') return by !== 'history' || isNew(known.words, act.text) ? [act] : []
    if (act.act === 'called') return called(deed, act)
    const call = names.get(act.call ?? '') ?? act.call ?? ''
    // An empty answer is one that was not recorded, where the model has been told another.
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
