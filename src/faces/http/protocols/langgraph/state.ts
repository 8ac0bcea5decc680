/** The state of a thread as LangGraph clients read it. */
import type { QuestionState, ThreadHandle, ThreadState } from '../../../../host/thread/thread.ts'
import { questionId } from '../chat-thread.ts'
import { checkpointOf, Events } from './events.ts'
import type { Message } from './messages.ts'

/** The states after the given events. */
export async function statesAt(handle: ThreadHandle, seqs: readonly number[]) {
  const states = await Promise.all(seqs.map(seq => handle.state(seq)))
  const messages = await messagesAt(handle, states)
  return states.map(state => stateOf(state, messages.get(state.seq) ?? []))
}

export function stateOf(state: ThreadState, messages: readonly Message[]) {
  const { thread, graph, seq, status, questions } = state
  const checkpoint = { thread_id: thread, checkpoint_id: checkpointOf(seq), checkpoint_ns: '' }
  return {
    values: { ...state.channels, messages },
    next: status === 'ended' ? [] : [graph],
    tasks: questions.map(taskOf),
    metadata: { source: 'loop', step: seq, thread_id: thread, graph_id: graph },
    created_at: null,
    checkpoint,
    parent_checkpoint: null,
  }
}

function taskOf(asked: QuestionState) {
  const { id, thread: _, ...value } = asked
  const interrupts = [{ id: questionId(asked), value }]
  const rest = { path: [], checkpoint: null, state: null, result: null }
  return { id, name: id.replace(/#.*/, ''), error: null, interrupts, ...rest }
}

/** One reading of the journal gives the messages after each of the events. */
async function messagesAt(handle: ThreadHandle, states: readonly ThreadState[]) {
  const found = new Map<number, readonly Message[]>()
  const last = Math.max(...states.map(({ seq }) => seq))
  const wanted = new Set(states.map(({ seq }) => seq))
  const events = new Events(states[0]?.graph ?? '')
  for (let after = -1; after < last; )
    for await (const event of handle.events({ after })) {
      for (const _ of events.take(event));
      if (event.type === 'token') continue
      after = event.seq
      if (wanted.has(after)) found.set(after, [...events.messages])
      if (after >= last) return found
    }
  return found
}
