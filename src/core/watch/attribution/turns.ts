/** Finds the starts of nodes that follow a crash: another process continues a node, and the last one neither left it nor waited. */
import type { Stamped } from '../event/event.ts'

interface Turn {
  readonly epoch: number
  /** The calls without an answer. */
  readonly open: Set<string>
  /** A question, or a child that waits for one, blocks the node: a process without other work ends its drive. */
  isBlocked: boolean
}

export class Turns {
  readonly #turns = new Map<string, Turn>()

  /** Whether the event repeats a turn because its process stopped. Call with every event. */
  restarts(event: Stamped): boolean {
    if (!('effect' in event) || event.effect === undefined) return false
    const turn = this.#turns.get(event.effect)
    if (event.type === 'turn.started') {
      this.#turns.set(event.effect, { epoch: event.epoch, open: new Set(), isBlocked: false })
      return turn !== undefined && turn.epoch !== event.epoch && !isWaiting(turn)
    }
    if (event.type === 'turn.left') this.#turns.delete(event.effect)
    else if (turn) follow(turn, event)
    return false
  }
}

/** A call beside the question that has not ended was lost. */
const isWaiting = ({ isBlocked, open }: Turn): boolean => isBlocked && open.size === 0

function follow(turn: Turn, event: Stamped): void {
  switch (event.type) {
    case 'tool.called':
    case 'model.called':
      turn.open.add(event.call)
      return
    case 'tool.failed':
      // A person is asked whether the write took effect.
      if (event.final && event.failure.class === 'indeterminate') turn.isBlocked = true
      turn.open.delete(event.call)
      return
    case 'tool.done':
    case 'model.done':
    case 'model.failed':
      turn.open.delete(event.call)
      return
    case 'call.proposed':
    case 'child.waiting':
      turn.isBlocked = true
      return
    case 'tick':
      // The deadline has passed: the node leaves its calls, and a person is asked about a write among them.
      turn.open.clear()
      turn.isBlocked = true
  }
}
