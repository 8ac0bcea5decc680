/** The commands to type next, for a thread and for the child threads that it waits for. */
import { kindOf } from '../../../core/review/answers.ts'
import type { Run } from '../../../core/run/run.ts'
import { statusOf } from '../../../core/run/view.ts'
import { commandLine, quoted, type ThreadPlace } from './command-line.ts'
import { type Blocks, dim, styled } from './layout.ts'
import { type ChildRun, section } from './report.ts'

/** What the commands are about. `shown`: the output of `show` precedes them. */
interface NextOf {
  readonly below: readonly ChildRun[]
  readonly shown?: boolean
}

type NextCommand = readonly [command: string, effect: string]

/** The next commands to type. */
export function nextBlocks(
  thread: string,
  run: Run,
  at: ThreadPlace,
  { below, shown = false }: NextOf,
): Blocks {
  const own = answerCommand(quoted(thread), run)
  const child = own || run.paused ? undefined : askedBelow(below)
  const answer = own ?? child?.answer
  const name = quoted(child?.thread ?? thread)
  const paused = !answer && !run.paused ? pausedBelow(below) : undefined
  const general = generalCommand(name, run, answer !== undefined)
  const person = answer ?? paused
  const commands = person
    ? [...(shown && !child ? [] : [general]), person]
    : [shown ? afterShow(name, run) : general]
  return section(
    'next',
    commands.map(([command, effect]) => [
      styled(commandLine(command, at), 'cyan'),
      dim(`  ${effect}`),
    ]),
  )
}

/** The command of a person that continues a child: the answer to its question, or the end of its pause. */
export const childCommand = (below: readonly ChildRun[]): string | undefined =>
  (askedBelow(below)?.answer ?? pausedBelow(below))?.[0]

/** The first child that asks. */
function askedBelow(below: readonly ChildRun[]) {
  for (const { thread, run } of below) {
    const answer = answerCommand(quoted(thread), run)
    if (answer) return { thread, answer }
  }
  return undefined
}

function pausedBelow(below: readonly ChildRun[]): NextCommand | undefined {
  const child = below.find(({ run }) => run.paused)
  return child && [`resume ${quoted(child.thread)}`, 'continues the paused child thread']
}

/** The answer to the first question. Only a person can know whether a call took effect. */
function answerCommand(name: string, run: Run): NextCommand | undefined {
  const [asked, ...others] = run.pending.filter(effect => effect.type === 'interrupt')
  if (!asked) return undefined
  const question = others.length > 0 ? ` --question ${quoted(asked.id)}` : ''
  return kindOf(asked) === 'call'
    ? [
        `resume ${name}${question} --decision DECISION`,
        'answers the question: applied, not-applied or stop',
      ]
    : [`resume ${name}${question} --decision approved`, 'answers the question']
}

function generalCommand(name: string, run: Run, asks: boolean): NextCommand {
  if (run.paused && !asks) return continuing(name)
  const effect = asks ? 'shows the evidence and the possible answers' : 'shows every event'
  return [`show ${name}`, effect]
}

function afterShow(name: string, run: Run): NextCommand {
  if (run.paused) return continuing(name)
  if (statusOf(run) === 'active') return [`resume ${name}`, 'continues the thread']
  return [`show ${name} --at SEQ`, 'shows the state after an event; --json prints all of it']
}

const continuing = (name: string): NextCommand => [`resume ${name}`, 'continues the paused thread']
