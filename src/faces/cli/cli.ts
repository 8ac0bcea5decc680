/** The command line: what can be typed, and nothing of how it is done. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import {
  parseMax,
  CHOSEN_RUNGS,
  DECISIONS,
  DRAWINGS,
  FORK_EFFECTS,
  TEMPLATES,
  TRACE_FORMATS,
} from './app/choices.ts'
import { type App, EXIT } from './app/app.ts'
import { EXIT_CODES, HELP } from './help.ts'
import { errorBlocks } from './print/error.ts'
import type { MaxSpent } from './print/worst-case.ts'

/** Runs one command line; returns its exit code. Whatever goes wrong is one message on `err`, never a stack trace. */
export async function cli(app: App, version: string, argv: readonly string[]): Promise<number> {
  let code: number = EXIT.goal
  const program = programOf(app, version, done => {
    code = done
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.goal : EXIT.usage
    app.note(errorBlocks(error))
    if (app.leave.aborted && error === app.leave.reason) return EXIT.terminated
    return USAGE.has((error as Error | undefined)?.name ?? '') ? EXIT.usage : EXIT.ended
  }
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
  'WrongGraph',
  'WrongClock',
  'WrappedThread',
])

function programOf(app: App, version: string, done: (code: number) => void): Command {
  const program = withOutput(app, new Command('escapement'))
    .description('Run LLM agents as cyclic graphs that detect their loops and escape from them.')
    .version(version)
    .showHelpAfterError('(escapement --help lists the commands)')
    .addHelpText('after', `\n${EXIT_CODES}`)
  const on: AddCommand = (usage, description) => {
    const command = withOutput(app, program.command(usage)).description(description)
    const { group = '', example = '' } = HELP[command.name()] ?? {}
    return command
      .helpGroup(group)
      .showHelpAfterError(`(escapement ${command.name()} --help lists the options)`)
      .addHelpText('after', `\nExample:\n  escapement ${example}`)
  }
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
const initModule = () => import('./commands/init.ts')
const specModule = () => import('./commands/spec.ts')
const watchModule = () => import('./commands/watch.ts')
const compareModule = () => import('./commands/compare.ts')

function runCommands(app: App, on: AddCommand, does: Action): void {
  const driving = (command: Command) =>
    withStoreOption(app, command).addOption(json()).addOption(clock()).addOption(progress())
  const holding = (command: Command) => driving(command).addOption(graph())
  driving(on('run <spec>', 'run a spec, or FILE#NAME of a module, as a thread'))
    .option('--input <json>', 'input as JSON, or @FILE')
    .option('--thread <id>', 'name of the thread; an existing thread continues')
    .option('--seed <n>', 'random seed')
    .addOption(settings())
    .option('--workspace <folder>', 'folder that tools may access (default: the current folder)')
    .option(
      '--scope <scope=key>',
      'key for a scope of the spec; repeatable',
      (text: string, before: string[] = []) => [...before, text],
    )
    .action(does(async (file, options) => (await runModule()).run(app, file, options)))
  holding(on('resume <thread>', 'continue a thread, or answer its question'))
    .addOption(new Option('--decision <decision>', 'the answer to a question').choices(DECISIONS))
    .addOption(
      new Option('--rung <rung>', 'the way out to take, as the answer to a review').choices(
        CHOSEN_RUNGS,
      ),
    )
    .option('--question <id>', 'id of the question, if several are open')
    .option('--output <json>', 'output of the person, as JSON')
    .option('--to <node>', 'state to continue in, with --rung alternative')
    .option('--note <text>', 'why')
    .action(does(async (thread, options) => (await resumeModule()).resume(app, thread, options)))
  holding(on('send <thread>', 'send a message, which starts the next round of a thread'))
    .requiredOption('--input <json>', 'input of the round as JSON, or @FILE')
    .action(does(async (thread, options) => (await resumeModule()).send(app, thread, options)))
  withStoreOption(app, on('fork <thread>', 'copy a thread up to an event, to try another way'))
    .addOption(json())
    .option('--at <seq>', 'last event to copy (default: the last event of the thread)')
    .addOption(
      new Option('--effects <effects>', 'external effects of the fork; required').choices(
        FORK_EFFECTS,
      ),
    )
    .option('--as <name>', 'name of the fork')
    .addOption(graph())
    .addOption(settings('policy override, such as --set retry.attempts=1; repeatable'))
    .action(does(async (thread, options) => (await forkModule()).forkThread(app, thread, options)))
  holding(on('cancel <thread>', 'cancel a thread, even if another process drives it'))
    .option('--reason <text>', 'why', 'cancelled by hand')
    .action(does(async (thread, options) => (await resumeModule()).cancel(app, thread, options)))
  holding(on('policy <thread>', 'print the policy of a thread, or change it'))
    .addOption(
      settings(
        'policy override, such as --set limits.usd=5 or --set escape.review.deadline=2h (null: the default); repeatable',
      ),
    )
    .option('--file <file>', 'policy overrides, in spec notation')
    .action(does(async (thread, options) => (await policyModule()).policy(app, thread, options)))
  holding(
    on('tick', 'continue every thread that is due: deadlines, waits, commands, dead processes'),
  ).action(does(async options => (await resumeModule()).tick(app, options)))
}

function lookCommands(app: App, on: AddCommand, does: Action): void {
  withStoreOption(
    app,
    on('show <thread>', 'print the state, the events and the escapes of a thread'),
  )
    .addOption(json())
    .option('--at <seq>', 'the state after this event')
    .option('--follow', 'print new events until the thread ends')
    .option('--rejudge', "what today's policy and detectors would decide")
    .action(does(async (thread, options) => (await showModule()).show(app, thread, options)))
  withStoreOption(app, on('effects <thread>', 'list the external effects of a thread'))
    .addOption(json())
    .action(does(async (thread, options) => (await effectsModule()).effects(app, thread, options)))
  withStoreOption(app, on('threads', 'list the threads of a store'))
    .addOption(json())
    .action(does(async options => (await showModule()).threads(app, options)))
  withStoreOption(app, on('export <thread>', 'print the journal of a thread, one JSON row a line'))
    .addOption(json())
    .option('--out <file>', 'write one file for `import` instead (NAME.escapement.gz)')
    .action(
      does(async (thread, options) =>
        options.out === undefined
          ? (await showModule()).exportThread(app, thread, options)
          : (await archiveModule()).exportArchive(app, thread, options),
      ),
    )
  withStoreOption(
    app,
    on('import <file>', 'import the threads of a file that `export --out` wrote'),
  )
    .addOption(json())
    .option('--as <name>', 'name of the thread in this store')
    .action(
      does(async (file, options) => (await archiveModule()).importArchive(app, file, options)),
    )
}

function sharedCommands(app: App, on: AddCommand, does: Action): void {
  withStoreOption(
    app,
    on('breakers', 'list the circuit breakers that the threads of a store share'),
  )
    .addOption(json())
    .option('--open', 'only breakers that refuse calls')
    .option('--reset <resource>', 'close a breaker: GRAPH/tool:NAME, or NAME')
    .option('--trip <resource>', 'open a breaker')
    .option('--for <duration>', 'how long it stays open', '1h')
    .action(does(async options => (await breakersModule()).breakers(app, options)))
  withStoreOption(app, on('scopes', 'list what the threads of each scope spent together'))
    .addOption(json())
    .option('--release <scope=key>', 'reset a scope, which unblocks its next thread')
    .action(does(async options => (await scopesModule()).scopes(app, options)))
}

function specCommands(app: App, on: AddCommand, does: Action): void {
  on('init [folder]', 'write a small working project')
    .addOption(
      new Option('--as <template>', 'language of the agent')
        .choices(TEMPLATES)
        .default('typescript'),
    )
    .option(
      '--skill',
      'write a guide for coding agents instead (.agents/skills/escapement/SKILL.md)',
    )
    .action(does(async (folder = '.', options) => (await initModule()).init(app, folder, options)))
  on('draw <spec>', 'draw a graph with its failure and escape edges')
    .addOption(new Option('--as <form>', 'format of the drawing').choices(DRAWINGS).default('text'))
    .addOption(json())
    .addOption(settings())
    .action(
      does(async (file, options) =>
        (await specModule()).draw(app, file, options.json ? { ...options, as: 'json' } : options),
      ),
    )
  on('lint <spec>', 'find what would trap an agent, and the most it can spend')
    .addOption(json())
    .addOption(most())
    .addOption(settings())
    .action(does(async (file, options) => (await specModule()).lintSpec(app, file, options)))
  on('schema', 'print the JSON Schema of graph specs, for editors')
    .addOption(json())
    .action(does(async () => (await specModule()).schema(app)))
}

function watchCommands(app: App, on: AddCommand, does: Action): void {
  on('watch <file...>', 'find loops in recorded traces of any agent')
    .addOption(
      new Option('--format <format>', 'format of the traces (default: detected)').choices(
        TRACE_FORMATS,
      ),
    )
    .option('--policy <file>', 'policy overrides, in spec notation')
    .option('--out <file>', 'write a line of JSON for each trace: id, flags, nanoseconds')
    .addOption(json())
    .option('--compare <files...>', 'compare two policies: what each stops, saves and disturbs')
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
    'SQLite file of the threads',
    app.environment.ESCAPEMENT_STORE ?? '.escapement/threads.db',
  )
}

const json = () => new Option('--json', 'print JSON')
const graph = () =>
  new Option('--graph <file#name>', 'module that exports the graph, where a program has bound it')
const clock = () =>
  new Option(
    '--clock <clock>',
    'virtual: waits take no time (default: system; a thread keeps its clock)',
  ).choices(['system', 'virtual'])
const progress = () =>
  new Option('--progress <when>', 'print events as they happen; auto: on a terminal')
    .choices(['auto', 'always', 'never'])
    .default('auto')
const most = () =>
  new Option(
    '--max <unit=amount>',
    'reject a spec that can spend more, such as --max toolCalls=50; repeatable',
  )
    .default({}, 'no maximum')
    .argParser((text: string, before: MaxSpent = {}) => ({
      ...before,
      ...parseMax(text),
    }))
const settings = (does = 'spec override, such as --set limits.steps=20; repeatable') =>
  new Option('--set <path=value>', does)
    .default([] as string[], 'no change')
    .argParser((text: string, before: string[] = []) => {
      if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('expected path=value')
      return [...before, text]
    })
