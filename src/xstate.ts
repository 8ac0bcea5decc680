/** `escapement/xstate`: a thread as an XState actor. */
export {
  type ThreadEmitted,
  type ThreadLogic,
  threadLogic,
} from './host/actor/thread-logic.ts'
export type { ThreadInput, ThreadSnapshot } from './host/actor/thread-snapshot.ts'
