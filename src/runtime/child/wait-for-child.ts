/** Waiting with a child for people: the node rests once nothing else in it can go on. */
import type { ChildLink } from '../../core/watch/event/event.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { EffectContext } from '../call/effect-context.ts'

/**
 * Resolves when the child must be looked at again, because of `stop`. Otherwise never: with all its calls resting the effect
 * is blocked, the node is left, and performed again once one of the children has ended.
 * @throws the reason once the node has been left.
 */
export async function waitForChild(
  context: EffectContext,
  child: ChildLink,
  stop: Cancellation,
): Promise<void> {
  const { journal, cancellation, ports, effect, resting } = context
  resting.push(child)
  try {
    while (!stop.cancelled) {
      if (!isIdle(context)) await nextChange(context, stop)
      // The node may be about to begin something else.
      else await ports.clock.sleep(0, cancellation.signal).catch(() => {})
      if (!cancellation.cancelled && isIdle(context))
        journal.take({
          type: 'child.waiting',
          effect: effect.id,
          region: effect.region,
          children: [...resting],
        })
    }
    cancellation.throwIfCancelled()
  } finally {
    resting.splice(resting.indexOf(child), 1)
  }
}

/** All that is out rests. */
function isIdle({ out, resting }: EffectContext): boolean {
  return resting.length === out.size
}

/** Resolves with the next event, or once there is a reason to stop. */
export function nextChange(
  { journal, cancellation }: EffectContext,
  stop: Cancellation = cancellation,
): Promise<void> {
  return new Promise(resolve => {
    const ends: (() => void)[] = []
    const done = () => {
      for (const end of ends) end()
      resolve()
    }
    ends.push(journal.onChange(done), cancellation.onCancel(done), stop.onCancel(done))
  })
}
