/**
 * XState's own steps of a machine. Its `transition` makes the scope of an actor anew at each step, and with it the machine's
 * initial state; no actor lives here, so that one scope does for all steps.
 */
import { type AnyMachineSnapshot, type AnyStateMachine, createActor } from 'xstate'

export interface Action {
  readonly type: string
  readonly params?: unknown
}

/** The next snapshot, and the actions that XState would execute, in order. */
export type Stepped = readonly [next: AnyMachineSnapshot, actions: readonly Action[]]

export interface Stepper {
  begin(input: unknown): Stepped
  step(snapshot: AnyMachineSnapshot, event: unknown): Stepped
}

type Scope = Parameters<AnyStateMachine['transition']>[2]

export function stepperOf(machine: AnyStateMachine): Stepper {
  let actions: Action[] = []
  let scope: Scope | undefined
  const collecting = (next: (scope: Scope) => AnyMachineSnapshot): Stepped => {
    actions = []
    scope ??= inert(machine, action => actions.push(action))
    return [next(scope), actions]
  }
  return {
    begin: input =>
      collecting(scope => machine.getInitialSnapshot(scope, input as never) as AnyMachineSnapshot),
    step: (snapshot, event) =>
      collecting(
        scope => machine.transition(snapshot as never, event as never, scope) as AnyMachineSnapshot,
      ),
  }
}

function inert(machine: AnyStateMachine, actionExecutor: (action: Action) => void): Scope {
  const self = createActor(machine)
  const nothing = () => {}
  return {
    self,
    system: self.system,
    id: '',
    sessionId: '',
    logger: nothing,
    defer: nothing,
    stopChild: nothing,
    emit: nothing,
    actionExecutor,
  } as unknown as Scope
}
