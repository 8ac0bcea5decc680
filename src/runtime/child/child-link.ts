/** Whether a stored thread is the child of a call. Its first row names the call, and the journal of its parent the thread. */
import type { Row, Started } from '../../core/run/run.ts'
import { parentIn } from '../../core/watch/data/thread-name.ts'
import type { Parent } from '../../core/watch/event/event.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { DriveInput } from '../call/context.ts'
import type { StoredStart } from '../store/source.ts'
import { upcastKey } from '../store/upcast.ts'

/** The call that a thread must belong to. */
export type CallOfParent = NonNullable<DriveInput['parent']>

/** The thread with the name of a child belongs to another call. Its result is not the child's. */
export class ForeignChild extends ReasonError {
  constructor(thread: string) {
    super('ForeignChild', { code: 'foreign-child', params: { thread } })
  }
}

/** Checks that a stored thread is the child of this call, with its graph and input. @throws ForeignChild */
export function checkLink({ summary, started, left }: StoredStart, link: CallOfParent): void {
  const { thread } = summary
  const { parent } = started
  const { versions } = left[0] ?? started
  const isChild =
    thread === nameOfChild(link) &&
    parent?.thread === link.thread &&
    parent.call === link.call &&
    isKeyOf(link.key, parent, versions)
  if (!isChild) throw new ForeignChild(thread)
}

/** Whether the journal of a parent has started the thread `name`, whose first event is `started`. An import may have renamed both since. */
export function isStartedBy(rows: readonly Row[], name: string, started: Started): boolean {
  const { parent, versions } = started
  if (!parent) return false
  const event = rows[parent.seq]?.event
  return (
    event?.type === 'child.started' &&
    name === `${parentIn(name)}/${event.call}` &&
    event.call === parent.call &&
    event.thread === nameOfChild(parent) &&
    isKeyOf(event.key, parent, versions)
  )
}

const nameOfChild = ({ thread, call }: Pick<Parent, 'thread' | 'call'>) => `${thread}/${call}`

/** The journals of children that began before version 0.2.0 hold no key. */
const isKeyOf = (key: string, of: Parent, { escapement }: Started['versions']): boolean =>
  of.key === undefined ? upcastKey(escapement) !== '' : of.key === key
