/** The commands with which a person steps, changes and disturbs a thread. */
import type { Option } from 'commander'
import { CHOSEN_RUNGS } from '../../core/watch/event/event.ts'
import { CLASSES } from '../../core/watch/failure/failure-class.ts'
import { type Action, type Add, append, choice } from './add-command.ts'

export function debugCommands(on: Add, action: Action, shared: Option[]): void {
  const load = () => import('./commands/control.ts')
  on('pause <thread>', 'start no further node of a thread', 'pause news', shared)
    .option('--reason <text>', 'why')
    .action(action(async () => (await load()).pause))
  const step = 'run the nodes of a thread that can start now, and pause after them'
  on('step <thread>', step, 'step news', shared)
    .option('--until <state>', 'run on, and pause before this state; repeatable', append)
    .action(action(async () => (await load()).step))
  on('stop <thread>', 'end a thread with the outcome stopped', 'stop news', shared)
    .option('--reason <text>', 'why', 'by hand')
    .action(action(async () => (await load()).stop))
  const escape = 'take an escape route out of the current state of a thread'
  on('escape <thread>', escape, 'escape news --rung rollback', shared)
    .addOption(choice('--rung <rung>', 'the escape', CHOSEN_RUNGS).makeOptionMandatory())
    .option('--to <node>', 'node to continue in')
    .option('--note <text>', 'why')
    .action(action(async () => (await load()).escape))
  const dismiss = 'have the detectors ignore a repetition of a thread'
  on('dismiss <thread>', dismiss, 'dismiss news', shared)
    .option('--finding <id>', 'id of the finding (default: the last loop or stall)')
    .action(action(async () => (await load()).dismiss))
  const inject = 'have the next calls of a tool or model fail, or answer them'
  on('inject <thread>', inject, 'inject news --tool search --class transient --times 2', shared)
    .option('--tool <name>', 'the tool')
    .option('--model <name>', 'the model')
    .addOption(choice('--class <class>', 'class of the failure (default: "transient")', CLASSES))
    .option('--message <text>', 'message of the failure (default: "injected fault")')
    .option('--result <json>', 'answer instead of a failure, as JSON or @FILE')
    .option('--times <n>', 'number of attempts', '1')
    .action(action(async () => (await load()).inject))
  const points = 'list the breakpoints of a store: threads pause before nodes, or on conditions'
  on('breakpoints', points, 'breakpoints --set approval#publish')
    .option('--set <graph#node>', 'set a breakpoint; GRAPH#NODE@THREAD: for one thread')
    .option('--clear <graph#node>', 'clear a breakpoint')
    .option('--when <expression>', 'condition in CEL: pause after events that meet it; --set GRAPH')
    .action(action(async () => (await load()).breakpoints))
}
