/** What a person can do with a run: one table for the toolbar, for the keys, and for the list of keys. */
import type { IconName } from '../../design/icon.tsx'
import { addressNow, setQuery } from '../../data/route.ts'
import { countSeqsUntil } from '../../data/sorted.ts'
import type { RunModel } from '../../data/run-model.ts'
import { nextHeat, setHeat } from '../heat-select.tsx'
import type { Commands } from './commands.ts'
import { toggleAxis } from './use-axis.ts'
import { lapTargets, outTargets, overTargets } from './targets.ts'
import type { Breakpoints } from './use-breakpoints.ts'
import type { ThreadStatus } from './use-state.ts'

export type OpenDialog = 'fork' | 'fault' | 'send' | 'limit' | 'stop' | undefined

/** What the actions need to know. Looking back never acts: commands always apply to the end of the thread. */
export interface ActionContext {
  readonly model: RunModel
  readonly commands: Commands
  readonly status: ThreadStatus
  readonly open: (dialog: OpenDialog) => void
  readonly selected: string | undefined
  readonly breakpoints: Breakpoints
}

export interface Action {
  readonly name: string
  /** Its key, as `KeyboardEvent.key` names it. Letters have no case. */
  readonly key?: string
  readonly icon?: IconName
  readonly kind?: 'primary' | 'danger'
  /** What it does. */
  readonly hint: string
  /** Its work, if it is possible now. */
  readonly of: (context: ActionContext) => (() => void) | undefined
}

type Perform = Parameters<Commands['send']>[1]

const command =
  (name: string, perform: Perform) =>
  ({ commands }: ActionContext) =>
  () =>
    void commands.send(name, perform)

const canAct = ({ status, commands }: ActionContext): boolean =>
  !status.ended && commands.busy === undefined

const whileRunning = (of: Action['of']): Action['of'] => {
  return context => (canAct(context) && !context.status.paused ? of(context) : undefined)
}

const whilePaused = (of: Action['of']): Action['of'] => {
  return context => (canAct(context) && context.status.paused ? of(context) : undefined)
}

/** Steps up to states. Without any, the step is not possible. */
const stepTo = (name: string, targets: (of: ActionContext) => readonly string[]): Action['of'] =>
  whilePaused(context => {
    const until = targets(context)
    if (until.length === 0) return undefined
    return command(name, (thread, options) => thread.step({ ...options, until }))(context)
  })

const dialog = (name: Exclude<OpenDialog, undefined>): Action['of'] => {
  return ({ open, commands }) => (commands.busy === undefined ? () => open(name) : undefined)
}

/** The buttons of the toolbar. Of the first two, the possible one is shown. */
export const PAUSE: Action = {
  ...{ name: 'Pause', key: 'P', icon: 'pause', kind: 'primary', hint: 'Start no further node' },
  of: whileRunning(command('Pause', (thread, options) => thread.pause(undefined, options))),
}

export const CONTINUE: Action = {
  ...{ name: 'Continue', key: 'F5', icon: 'play', kind: 'primary', hint: 'Lift the pause' },
  of: whilePaused(command('Continue', (thread, options) => thread.resume(options))),
}

export const STEPS: readonly Action[] = [
  {
    ...{ name: 'Step', key: 'S', icon: 'step' },
    hint: 'Run the nodes that can start now, then pause',
    of: whilePaused(command('Step', (thread, options) => thread.step(options))),
  },
  {
    ...{ name: 'Lap', key: 'L', icon: 'lap', hint: 'Run until this state is entered again' },
    of: stepTo('Lap', ({ model }) => lapTargets(model)),
  },
  {
    ...{ name: 'Over', key: 'O', icon: 'over' },
    hint: 'Run until another state is entered, whatever the child threads of this one do',
    of: stepTo('Over', ({ model }) => overTargets(model)),
  },
  {
    ...{ name: 'Out', key: 'U', icon: 'out' },
    hint: 'Run until the run leaves the box around this state',
    of: stepTo('Out', ({ model }) => outTargets(model)),
  },
  {
    ...{
      name: 'Run to here',
      key: 'R',
      icon: 'here',
      hint: 'Run until the selected state is entered',
    },
    of: stepTo('Run to here', ({ selected }) => (selected === undefined ? [] : [selected])),
  },
]

export const CHANGES: readonly Action[] = [
  {
    ...{ name: 'Fork', key: 'F', icon: 'fork', hint: 'Fork at the event that is looked at' },
    of: dialog('fork'),
  },
  { name: 'Send', key: 'E', icon: 'send', hint: 'Send a message', of: dialog('send') },
  {
    ...{ name: 'Inject fault', key: 'I', icon: 'fault' },
    hint: 'Have the next calls of a tool or model fail, or answer them',
    of: context => (canAct(context) ? dialog('fault')(context) : undefined),
  },
  {
    ...{ name: 'Limit', icon: 'wait', hint: 'Change how many steps the thread may make' },
    of: dialog('limit'),
  },
  {
    ...{ name: 'Stop', icon: 'stop', kind: 'danger', hint: 'End the thread in order' },
    of: context => (canAct(context) ? dialog('stop')(context) : undefined),
  },
]

export const BREAKPOINT: Action = {
  ...{ name: 'Breakpoint', key: 'B', hint: 'Set or clear a breakpoint on the selected state' },
  of: ({ selected, breakpoints }) =>
    selected === undefined ? undefined : () => breakpoints.toggle({ node: selected }),
}

/** Actions of the view, which the thread does not notice. */
export const LOOKING: readonly Action[] = [
  {
    ...{ name: 'Back', key: 'ArrowLeft', hint: 'One event back' },
    of:
      ({ model }) =>
      () =>
        model.seek(Math.max(0, model.at - 1)),
  },
  {
    ...{ name: 'Forward', key: 'ArrowRight', hint: 'One event forward' },
    of:
      ({ model }) =>
      () =>
        model.seek(model.at + 1),
  },
  {
    ...{ name: 'Start', key: 'Home', hint: 'First event' },
    of:
      ({ model }) =>
      () =>
        model.seek(0),
  },
  {
    ...{ name: 'End', key: 'End', hint: 'Last event, and follow the thread' },
    of:
      ({ model }) =>
      () =>
        model.seek(undefined),
  },
  {
    ...{ name: 'Next finding', key: 'N', hint: 'Next event with a finding' },
    of: ({ model }) => {
      const { marked } = model.journal
      const next = marked.find(({ seq, findings }) => seq > model.at && findings.length > 0)
      return next && (() => model.seek(next.seq))
    },
  },
  {
    ...{ name: 'Next match', key: 'M', hint: 'Next event for which the condition is true' },
    of: ({ model }) => {
      const next = model.matches[countSeqsUntil(model.matches, model.at)]
      return next === undefined ? undefined : () => model.seek(next)
    },
  },
  {
    ...{ name: 'Drawing', key: '1', hint: 'Show the drawing' },
    of: () => () => setQuery({ view: 'drawing' }),
  },
  {
    ...{ name: 'Outline', key: '2', hint: 'Show the outline' },
    of: () => () => setQuery({ view: 'outline' }),
  },
  {
    ...{ name: 'Heat', key: 'H', hint: 'Color the states by visits, time, cost or errors' },
    of: () => () => setHeat(nextHeat(addressNow().query.heat)),
  },
  {
    ...{ name: 'By time', key: 'T', hint: 'Place the events by the clock, or one after the other' },
    of: () => toggleAxis,
  },
]

/** All actions with a key, in the order in which people learn them. */
export const KEYED: readonly Action[] = [
  ...LOOKING,
  ...[PAUSE, CONTINUE, ...STEPS, BREAKPOINT, ...CHANGES].filter(({ key }) => key !== undefined),
]
