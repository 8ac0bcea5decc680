/** Effects whose work is done by children that wait for people: they rest, and go on when one of the children has ended. */
import type { Effect } from './effects.ts'
import type { ChildLink } from './watch/event/event.ts'

/** The effect rests on these children. */
export function blockOnChildren(
  pending: readonly Effect[],
  id: string,
  children: readonly ChildLink[],
): readonly Effect[] {
  const [first] = children
  if (!first) return pending
  return pending.map(effect => {
    if (effect.id !== id || effect.type !== 'invoke') return effect
    const { deadline: _, ...rest } = effect
    return { ...rest, blocked: first.call, children }
  })
}

/** The effects once a child has ended; `undefined` if none of them rests on it. */
export function unblock(
  pending: readonly Effect[],
  { call }: Pick<ChildLink, 'call'>,
): readonly Effect[] | undefined {
  if (!pending.some(effect => isBlockedOn(effect, call))) return undefined
  return pending.map(effect => {
    if (effect.type !== 'invoke' || !isBlockedOn(effect, call)) return effect
    const asked = pending.find(
      other => other.type === 'interrupt' && other.call?.effect === effect.id,
    )
    const free = withoutBlocks(effect)
    return asked?.type === 'interrupt' ? { ...free, blocked: asked.call?.call ?? call } : free
  })
}

/** The effect as it goes on without the children it rested on. */
export function withoutBlocks(effect: Invoke): Invoke {
  const { blocked: _, children: __, ...free } = effect
  return { ...free, starts: 0, resumed: true }
}

type Invoke = Extract<Effect, { type: 'invoke' }>

function isBlockedOn(effect: Effect, call: string): boolean {
  return effect.type === 'invoke' && effect.children?.some(child => child.call === call) === true
}
