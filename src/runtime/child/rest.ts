/** Waiting with a child for people: the node rests once nothing else in it can go on. */
import type { ChildLink } from '../../core/watch/event.ts'
import type { Leave } from '../time/leave.ts'
import type { Work } from '../call/work.ts'

/**
 * Resolves when the child must be looked at again, because of `stop`. Otherwise never: with all its calls resting the effect
 * is blocked, the node is left, and performed again once one of the children has ended.
 * @throws the reason once the node has been left.
 */
export async function rest(work: Work, child: ChildLink, stop: Leave): Promise<void> {
  const { journal, leave, ports, effect, resting } = work
  resting.push(child)
  try {
    while (!stop.left) {
      if (!quiet(work)) await change(work, stop)
      // The node may be about to begin something else.
      else await ports.clock.sleep(0, leave.signal).catch(() => {})
      if (!leave.left && quiet(work))
        journal.take({
          type: 'child.waiting',
          effect: effect.id,
          region: effect.region,
          children: [...resting],
        })
    }
    leave.stay()
  } finally {
    resting.splice(resting.indexOf(child), 1)
  }
}

/** All that is out rests. */
function quiet({ out, resting }: Work): boolean {
  return resting.length === out.size
}

/** Resolves with the next event, or once there is a reason to stop. */
export function change({ journal, leave }: Work, stop: Leave = leave): Promise<void> {
  return new Promise(resolve => {
    const ends: (() => void)[] = []
    const done = () => {
      for (const end of ends) end()
      resolve()
    }
    ends.push(journal.onChange(done), leave.onLeave(done), stop.onLeave(done))
  })
}
