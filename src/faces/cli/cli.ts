/** The command line: what can be typed, and nothing of how it is done. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { parseMax } from './max-option.ts'
import type { App } from './app.ts'
import { CHOSEN_RUNGS, DECISIONS, DRAWINGS, FORK_EFFECTS, TRACE_FORMATS } from './choices.ts'
import { EXIT } from './exit.ts'
import type { MaxSpent } from './print/worst-case.ts'
import { ERASE } from './print/progress.ts'
import { withoutControls } from './print/plain.ts'

/** Runs one command line; returns its exit code. Whatever goes wrong is one message on `err`, never a stack trace. */
export async function cli(given: App, version: string, argv: readonly string[]): Promise<number> {
  const app = { ...given, out: sanitized(given.out), err: sanitized(given.err) }
  let code: number = EXIT.goal
  const program = programOf(app, version, done => {
    code = done
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.goal : EXIT.usage
    app.err(`escapement: ${error instanceof Error ? error.message : String(error)}\n`)
    if (app.leave.aborted && error === app.leave.reason) return EXIT.terminated
    return USAGE.has((error as Error | undefined)?.name ?? '') ? EXIT.usage : EXIT.ended
  }
}

/** Whatever a tool, a model or a file has said, the terminal only shows it. What stands on a line may be taken away: that is ours. */
function sanitized(say: (text: string) => void): (text: string) => void {
  return text =>
    say(
      text.startsWith(ERASE)
        ? `${ERASE}${withoutControls(text.slice(ERASE.length))}`
        : withoutControls(text),
    )
}

/** Errors by which the user is told what to do differently. */
const USAGE: ReadonlySet<string> = new Set([
  'UsageError',
  'SpecFaults',
  'InvalidInput',
  'UnknownThread',
  'StoreUnavailable',
  'InvalidEvent',
  'InvalidFork',
  'ThreadExists',
  'MissingPackage',
  'NoEndpoint',
  'NoSecret',
  'InvalidTrace',
  'Unwritable',
  'BoundElsewhere',
])

function programOf(app: App, version: string, done: (code: number) => void): Command {
  const program = withOutput(app, new Command('escapement'))
    .description('Run LLM agents as cyclic state graphs that cannot get stuck.')
    .version(version)
    .showHelpAfterError('(escapement --help shows what there is)')
    .addHelpText('after', `\n${EXIT_CODES}`)
  const on: AddCommand = (name, description) =>
    withOutput(app, program.command(name))
      .description(description)
      .showHelpAfterError(`(escapement ${name.split(' ')[0]} --help shows what there is)`)
  const does: Action =
    action =>
    async (...args) =>
      done(await action(...args))
  runCommands(app, on, does)
  lookCommands(app, on, does)
  sharedCommands(app, on, does)
  specCommands(app, on, does)
  watchCommands(app, on, does)
  return program
}

const EXIT_CODES = `Exit codes: 0 goal reached, 1 ended without the goal, 2 usage or invalid spec, 3 waiting for a person,
  4 stopped by the escape mechanism, 5 another process drives the thread, 130 cancelled,
  143 terminated: the thread can be resumed.`

type AddCommand = (name: string, description: string) => Command
/** What commander hands to an action is checked by the options above it, and typed by the command that takes it. */
// biome-ignore lint/suspicious/noExplicitAny: commander types the arguments of an action so.
type Action = (action: (...args: any[]) => Promise<number>) => (...args: any[]) => Promise<void>

// Each command is loaded when it is typed: `--version` and `--help` need none of them.
const runModule = () => import('./commands/run.ts')
const resumeModule = () => import('./commands/resume.ts')
const showModule = () => import('./commands/show.ts')
const policyModule = () => import('./commands/policy-command.ts')
const effectsModule = () => import('./commands/effects.ts')
const scopesModule = () => import('./commands/scopes.ts')
const breakersModule = () => import('./commands/breakers-command.ts')
const forkModule = () => import('./commands/fork.ts')
const archiveModule = () => import('./commands/archive.ts')
const specModule = () => import('./commands/spec.ts')
const watchModule = () => import('./commands/watch.ts')
const compareModule = () => import('./commands/compare.ts')

function runCommands(app: App, on: AddCommand, does: Action): void {
  const driving = (command: Command) =>
    withStoreOption(app, command).addOption(json()).addOption(clock()).addOption(progress())
  driving(on('run <spec>', 'run a graph spec as a thread'))
    .option('--input <json>', 'the input as JSON, or @file')
    .option('--thread <id>', 'the name of the thread; one that exists is taken up')
    .option('--seed <n>', 'the seed of all chance')
    .addOption(settings())
    .option('--workspace <folder>', 'the folder tools are confined to (default: this one)')
    .option(
      '--scope <scope=key>',
      'the key of a scope of the spec, in place of its own; may be repeated',
      (text: string, before: string[] = []) => [...before, text],
    )
    .action(does(async (file, options) => (await runModule()).run(app, file, options)))
  driving(on('resume <thread>', 'go on with a thread, or answer its question'))
    .addOption(new Option('--decision <decision>', 'the answer').choices(DECISIONS))
    .addOption(
      new Option('--rung <rung>', 'the way out to take, as the answer to a review').choices(
        CHOSEN_RUNGS,
      ),
    )
    .option('--question <id>', 'the question, where several are open')
    .option('--output <json>', 'what the person gives with the answer')
    .option('--to <node>', 'where to go on (after an escape to review)')
    .option('--note <text>', 'why')
    .action(does(async (thread, options) => (await resumeModule()).resume(app, thread, options)))
  driving(on('send <thread>', 'a message: begins a round of a thread that has ended'))
    .requiredOption('--input <json>', 'the input of the round as JSON, or @file')
    .action(does(async (thread, options) => (await resumeModule()).send(app, thread, options)))
  withStoreOption(app, on('fork <thread>', 'a new thread that begins as this one was'))
    .addOption(json())
    .option('--at <seq>', 'after that event (default: its last)')
    .addOption(
      new Option('--effects <effects>', 'what it may do in the world; required').choices(
        FORK_EFFECTS,
      ),
    )
    .option('--as <name>', 'its name')
    .addOption(settings('another policy for it, as --set retry.attempts=1; may be repeated'))
    .action(does(async (thread, options) => (await forkModule()).forkThread(app, thread, options)))
  driving(on('cancel <thread>', 'cancel a thread, also one that another process drives'))
    .option('--reason <text>', 'why', 'cancelled by hand')
    .action(does(async (thread, options) => (await resumeModule()).cancel(app, thread, options)))
  driving(
    on('policy <thread>', 'the policy a thread is judged by, or a change of it while it runs'),
  )
    .addOption(
      settings(
        'change the policy, as --set limits.usd=5 or --set escape.review.deadline=2h (null: as by default); may be repeated',
      ),
    )
    .option('--file <file>', 'a change in the notation of a spec, YAML or JSON')
    .action(does(async (thread, options) => (await policyModule()).policy(app, thread, options)))
  driving(
    on('tick', 'carry out what is due: deadlines, waits, commands, threads whose process died'),
  ).action(does(async options => (await resumeModule()).tick(app, options)))
}

function lookCommands(app: App, on: AddCommand, does: Action): void {
  withStoreOption(app, on('show <thread>', 'how a thread stands, and how it got out of its loops'))
    .addOption(json())
    .option('--at <seq>', 'as it stood after that event')
    .option('--follow', 'go on printing until the thread ends')
    .option('--rejudge', "what today's policy and detectors would have said")
    .action(does(async (thread, options) => (await showModule()).show(app, thread, options)))
  withStoreOption(
    app,
    on('effects <thread>', 'what a thread has done to the world, and what became of it'),
  )
    .addOption(json())
    .action(does(async (thread, options) => (await effectsModule()).effects(app, thread, options)))
  withStoreOption(app, on('threads', 'all threads of a store'))
    .addOption(json())
    .action(does(async options => (await showModule()).threads(app, options)))
  withStoreOption(app, on('export <thread>', 'the journal of a thread, one JSON row a line'))
    .addOption(json())
    .option(
      '--out <file>',
      'everything into one file instead (name it .escapement.gz), for `import`',
    )
    .action(
      does(async (thread, options) =>
        options.out === undefined
          ? (await showModule()).exportThread(app, thread, options)
          : (await archiveModule()).exportArchive(app, thread, options),
      ),
    )
  withStoreOption(
    app,
    on('import <file>', 'take over the threads of a file that `export --out` has written'),
  )
    .addOption(json())
    .option('--as <name>', 'the name of the thread here')
    .action(
      does(async (file, options) => (await archiveModule()).importArchive(app, file, options)),
    )
}

function sharedCommands(app: App, on: AddCommand, does: Action): void {
  withStoreOption(app, on('breakers', 'the circuit breakers all threads of a store share'))
    .addOption(json())
    .option('--open', 'only those that refuse calls')
    .option('--reset <resource>', 'close one by hand: GRAPH/tool:NAME, or the name alone')
    .option('--trip <resource>', 'open one by hand')
    .option('--for <duration>', 'how long a tripped one stays open', '1h')
    .action(does(async options => (await breakersModule()).breakers(app, options)))
  withStoreOption(app, on('scopes', 'what the threads of each scope have spent and met together'))
    .addOption(json())
    .option('--release <scope=key>', 'forget it, and let the next thread begin')
    .action(does(async options => (await scopesModule()).scopes(app, options)))
}

function specCommands(app: App, on: AddCommand, does: Action): void {
  on('draw <spec>', 'draw a spec, with its failure and escape edges')
    .addOption(new Option('--as <form>', 'the form').choices(DRAWINGS).default('text'))
    .addOption(json())
    .addOption(settings())
    .action(
      does(async (file, options) =>
        (await specModule()).draw(app, file, options.json ? { ...options, as: 'json' } : options),
      ),
    )
  on('lint <spec>', 'find what would trap an agent, before it runs, and the most it can spend')
    .addOption(json())
    .addOption(most())
    .addOption(settings())
    .action(does(async (file, options) => (await specModule()).lintSpec(app, file, options)))
  on('schema', 'the JSON Schema of graph specs, for editors')
    .addOption(json())
    .action(does(async () => (await specModule()).schema(app)))
}

function watchCommands(app: App, on: AddCommand, does: Action): void {
  on('watch <file...>', 'look for loops in recorded traces of agents, whoever built them')
    .addOption(
      new Option('--format <format>', 'how they were recorded (default: as they show it)').choices(
        TRACE_FORMATS,
      ),
    )
    .option(
      '--policy <file>',
      'what is otherwise than by default, in the notation of a spec, YAML or JSON',
    )
    .option(
      '--out <file>',
      'write a line of JSON for each trace: its id, its flags, and the nanoseconds spent',
    )
    .addOption(json())
    .option(
      '--compare <files...>',
      'two policies, after the traces: what each would have stopped, saved and disturbed',
    )
    .action(
      does(async (files, options) =>
        options.compare
          ? (await compareModule()).compare(app, files, options)
          : (await watchModule()).watch(app, files, options),
      ),
    )
}

function withOutput(app: App, command: Command): Command {
  return command.exitOverride().configureOutput({ writeOut: app.out, writeErr: app.err })
}

function withStoreOption(app: App, command: Command): Command {
  return command.option(
    '--store <file>',
    'the SQLite file that keeps the threads',
    app.environment.ESCAPEMENT_STORE ?? '.escapement/threads.db',
  )
}

const json = () => new Option('--json', 'print JSON')
const clock = () =>
  new Option(
    '--clock <clock>',
    'virtual: waits take no time (default: system; a thread keeps the clock it began with)',
  ).choices(['system', 'virtual'])
const progress = () =>
  new Option('--progress <when>', 'print a line per turn')
    .choices(['auto', 'always', 'never'])
    .default('auto')
const most = () =>
  new Option(
    '--max <unit=amount>',
    'refuse a spec that can spend more, as --max toolCalls=50 or --max duration=10m; may be repeated',
  )
    .default({}, 'refuses nothing')
    .argParser((text: string, before: MaxSpent = {}) => ({
      ...before,
      ...parseMax(text),
    }))
const settings = (does = 'change the spec, as --set limits.steps=20; may be repeated') =>
  new Option('--set <path=value>', does)
    .default([] as string[], 'changes nothing')
    .argParser((text: string, before: string[] = []) => {
      if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('expected path=value')
      return [...before, text]
    })
