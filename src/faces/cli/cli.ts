/** The command line: its commands, their options, and their help. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { OutputConfiguration } from 'commander'
import { CHOSEN_RUNGS, DECISIONS, FORK_EFFECTS } from '../../core/watch/event/event.ts'
import { fieldOf } from '../../core/watch/data/foreign-field.ts'
import { withoutPassword } from '../../runtime/store/store-url.ts'
import type { Spent } from '../../core/watch/event/call-event.ts'
import { type Action, type Add, append, choice } from './add-command.ts'
import { type App, EXIT, interruptionExit, LOG_LEVELS, parseMax, UsageError } from './app/app.ts'
import { DEFAULT_STORE } from './print/command-line.ts'
import { errorBlocks, hintBlock, hintOfCommand } from './print/error.ts'
import { debugCommands } from './debug-commands.ts'
import { guardCommand } from '../../adapters/spec/exit-guard.ts'
import { inspectCommands } from './inspect-commands.ts'
import { moveCommands } from './move-commands.ts'
import { simulationCommands } from './simulation-commands.ts'
import { watchCommand } from './watch-command.ts'

/** Runs one command line; returns its exit code. Prints an error as one message, without a stack trace. */
export async function cli(app: App, version: string, argv: readonly string[]): Promise<number> {
  let code: number = EXIT.goal
  const refusals: string[] = []
  const messages: string[] = []
  const output = {
    writeOut: app.out,
    outputError: (text: string) => void refusals.push(text),
    writeErr: (text: string) => void messages.push(text),
  }
  const program = programOf(app, { version, output }, result => {
    code = result
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    const { redactor } = await import('../../runtime/redaction/redact.ts')
    const { secretsIn } = await import('../../runtime/redaction/secret-variables.ts')
    const redact = redactor(secretsIn(app.environment))
    if (error instanceof CommanderError) {
      const lines = redact(messages.join('')).split(/(?<=\n)/)
      for (const line of [...refusals.map(redact).flatMap(linesOf), ...lines]) app.err(line)
      const hint = error.code === 'commander.unknownCommand' && hintOfCommand(error.message)
      if (hint) app.note([hintBlock(hint)])
      return error.exitCode === 0 ? EXIT.goal : EXIT.usage
    }
    app.note(errorBlocks(error, redact))
    const isUsage = USAGE_ERRORS.has(String(fieldOf(error, 'name')))
    return interruptionExit(app, error) ?? (isUsage ? EXIT.usage : EXIT.ended)
  }
}

/** A line break in a refusal belongs to the arguments, except the one before a suggestion of commander, which ends the text. */
const linesOf = (refusal: string): readonly string[] =>
  refusal.split(/(?<=\n)(?=\(Did you mean [^\n]+\?\)\n$)/)

/** Errors that the user can fix. */
const USAGE_ERRORS: ReadonlySet<string> = new Set(
  `UsageError SpecFaults InvalidInput UnknownThread UnknownNode StoreUnavailable InvalidEvent InvalidCondition InvalidQuery QueryStopped
  InvalidScenario SimulationFailed OracleFailed SystemFailed InvalidFork ThreadExists ReservedName MissingPackage NoEndpoint NoSecret InvalidKey InvalidTrace
  Unwritable BoundElsewhere WrongGraph WrongClock WrappedThread`.split(/\s+/),
)

type Presentation = Readonly<{ version: string; output: OutputConfiguration }>

function programOf(
  app: App,
  { version, output }: Presentation,
  finish: (code: number) => void,
): Command {
  const program = new Command('escapement')
    .exitOverride()
    .configureOutput(output)
    .description('Run LLM agents as cyclic graphs that detect their loops and escape from them.')
    .version(version)
    .showHelpAfterError('(escapement --help lists the commands)')
    .addHelpText('after', `\n${EXIT_CODES}`)
    .hook('preAction', () => checkCurrentFolder(app))
  const group =
    (heading: string, shared: Option[], parent = program): Add =>
    (usage, description, example, options = []) => {
      const command = parent.command(usage).exitOverride().configureOutput(output)
      for (const option of [...shared, ...options]) command.addOption(option)
      return command
        .description(description)
        .helpGroup(heading)
        .showHelpAfterError(`(${commandPath(command)} --help lists the options)`)
        .addHelpText('after', `\nExample:\n  escapement ${example}`)
    }
  const action: Action =
    load =>
    async (...args) =>
      finish(await guardCommand(async () => (await load())(app, ...args)))
  const preset = app.environment.ESCAPEMENT_STORE ?? DEFAULT_STORE
  const storeHelp = 'SQLite file of the threads, or URL of a Postgres database'
  const store = new Option('--store <file>', storeHelp).default(
    preset,
    JSON.stringify(withoutPassword(preset)),
  )
  runCommands(group('Run:', [store, JSON_OUTPUT]), action)
  inspectCommands(group('Inspect:', [store, JSON_OUTPUT]), action)
  moveCommands(group('Move threads:', [store, JSON_OUTPUT]), action)
  specCommands(group('Write a graph:', [JSON_OUTPUT]), action)
  watchCommand(group('Inspect:', [JSON_OUTPUT]), action)
  const sim = program
    .command('sim')
    .exitOverride()
    .configureOutput(output)
    .description('simulate tool failures against a graph, on virtual time')
    .showHelpAfterError('(escapement sim --help lists the commands)')
    .helpGroup('Write a graph:')
  simulationCommands(group('Simulate:', [JSON_OUTPUT], sim), store, action)
  return program
}

/** `escapement sim monte` */
function commandPath(command: Command): string {
  const { parent } = command
  return parent ? `${commandPath(parent)} ${command.name()}` : command.name()
}

/** The relative paths of a command start there. @throws UsageError if it was deleted */
function checkCurrentFolder(app: App): void {
  try {
    void app.cwd
  } catch (cause) {
    const message = 'the current folder does not exist; expected a command in a folder that exists'
    throw new UsageError(message, { cause })
  }
}

/** An option with a fixed list of values. */
const JSON_OUTPUT = new Option('--json', 'print JSON')
const GRAPH = new Option(
  '--graph <file#name>',
  'module that exports the graph, where a program has bound it',
)
const clockHelp = 'virtual: waits take no time (default: system; a thread keeps its clock)'
const progressHelp = 'print events as they happen; auto: on a terminal'
const DRIVE = [
  choice('--clock <clock>', clockHelp, ['system', 'virtual']),
  choice('--progress <when>', progressHelp, ['auto', 'always', 'never'], 'auto'),
]
const CONTROL = [...DRIVE, GRAPH]

const settings = (description = 'spec override, such as --set limits.steps=20; repeatable') =>
  new Option('--set <path=value>', description)
    .default([] as string[], 'no change')
    .argParser((text: string, before: string[] = []) => {
      if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('expected path=value')
      return append(text, before)
    })

const MAX = new Option(
  '--max <unit=amount>',
  'reject a spec that can spend more, such as --max toolCalls=50; repeatable',
)
  .default({}, 'no maximum')
  .argParser((text: string, before: Partial<Spent> = {}) => ({ ...before, ...parseMax(text) }))

const TEMPLATES = ['typescript', 'yaml']
const DRAWINGS = ['text', 'mermaid', 'dot', 'xstate', 'scxml', 'json', 'spec']

function runCommands(on: Add, action: Action): void {
  const run = `run graph.yaml --thread news --input '{"topic": "the release"}'`
  on('run <spec>', 'run a spec, or FILE#NAME of a module, as a thread', run, DRIVE)
    .option('--input <json>', 'input as JSON, or @FILE')
    .option('--thread <id>', 'name of the thread; an existing thread continues')
    .option('--seed <n>', 'random seed')
    .addOption(settings())
    .option('--workspace <folder>', 'folder that tools may access (default: the current folder)')
    .option('--scope <scope=key>', 'key for a scope of the spec; repeatable', append)
    .action(action(async () => (await import('./commands/run.ts')).run))
  const resume = 'resume news --decision approved --note "well written"'
  on('resume <thread>', 'continue a thread, or answer its question', resume, CONTROL)
    .alias('answer')
    .addOption(choice('--decision <decision>', 'the answer to a question', DECISIONS))
    .addOption(choice('--rung <rung>', 'the escape to take, to answer a review', CHOSEN_RUNGS))
    .option('--question <id>', 'id of the question, if several are open')
    .option('--output <json>', 'output of the person, as JSON')
    .option('--to <node>', 'node to continue in, to answer a review')
    .option('--note <text>', 'why')
    .action(action(async () => (await import('./commands/resume.ts')).resume))
  const send = `send news --input '{"topic": "the next release"}'`
  on('send <thread>', 'send a message, which starts the next round of a thread', send, CONTROL)
    .requiredOption('--input <json>', 'input of the round as JSON, or @FILE')
    .action(action(async () => (await import('./commands/resume.ts')).send))
  const fork = 'fork news --at 12 --effects recorded --as retry --set retry.attempts=1'
  on('fork <thread>', 'copy a thread up to an event, to try another way', fork)
    .option('--at <seq>', 'last event to copy (default: the last event of the thread)')
    .addOption(choice('--effects <effects>', 'external effects; required', FORK_EFFECTS))
    .option('--as <name>', 'name of the fork')
    .option('--paused', 'start paused: nothing runs until `resume` or `step`')
    .option('--input <json>', 'another input as JSON or @FILE, with --at 0')
    .option('--set-channel <name=json>', 'another value of a channel; repeatable', append)
    .option('--answer <name=json>', 'answer of tool:NAME or model:NAME; repeatable', append)
    .addOption(GRAPH)
    .addOption(settings('policy override, such as --set retry.attempts=1; repeatable'))
    .action(action(async () => (await import('./commands/copy.ts')).forkThread))
  controlCommands(on, action)
  serveCommand(on, action)
  workerCommand(on, action)
  inspectorCommand(on, action)
}

function workerCommand(on: Add, action: Action): void {
  const help = 'drive threads on DBOS, together with other processes on the same database'
  on('worker', help, 'worker --postgres postgres://agent@db.example.com/app --graphs graphs')
    .requiredOption('--postgres <url>', 'database of the threads and of DBOS')
    .option('--graphs <path>', 'folder of specs, a spec, or FILE#NAME of a module', 'graphs')
    .option('--concurrency <n>', 'threads that this process drives at once', '16')
    .option('--fleet <n>', 'threads that all processes drive at once (default: no limit)')
    .option('--rate <n/duration>', 'turns that all processes start, such as 100/1s')
    .option('--drain <duration>', 'time for turns in progress to end at SIGTERM', '20s')
    .action(action(async () => (await import('./commands/worker.ts')).worker))
}

function serveCommand(on: Add, action: Action): void {
  on('serve', 'serve threads over HTTP, and drive those that are due', 'serve --graphs graphs')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0: any free port', '4100')
    .option('--graphs <path>', 'folder of specs, a spec, or FILE#NAME of a module', 'graphs')
    .option('--drain <duration>', 'time for turns in progress to end at SIGTERM', '20s')
    .addOption(choice('--log-level <level>', 'least level of the log', LOG_LEVELS, 'info'))
    .option('--allow-writes', 'let MCP clients fork, answer and inject')
    .action(action(async () => (await import('./commands/serve.ts')).serve))
}

function inspectorCommand(on: Add, action: Action): void {
  const help =
    'open the inspector: on a new thread of a graph, on a stored thread, or on an archive'
  on('inspect [subject]', help, 'inspect graphs/agent.yaml', DRIVE)
    .option('--port <n>', 'port to listen on; 0: any free port', '0')
    .option('--graphs <path>', 'folder of specs, a spec, or FILE#NAME of a module')
    .option('--input <json>', 'input of the new thread as JSON, or @FILE')
    .option('--once', 'run a graph without the page, and print its events')
    .action(action(async () => (await import('./commands/inspect.ts')).inspect))
}

function controlCommands(on: Add, action: Action): void {
  const cancel = 'cancel news --reason "no longer needed"'
  on('cancel <thread>', 'cancel a thread, even if another process drives it', cancel, CONTROL)
    .option('--reason <text>', 'why', 'by hand')
    .action(action(async () => (await import('./commands/resume.ts')).cancel))
  const policy = 'policy news --set limits.usd=5'
  on('policy <thread>', 'print the policy of a thread, or change it', policy, CONTROL)
    .addOption(
      settings(
        'policy override, such as --set escape.review.deadline=2h (null: the default); repeatable',
      ),
    )
    .option('--file <file>', 'policy overrides, in spec notation')
    .action(action(async () => (await import('./commands/resume.ts')).policy))
  debugCommands(on, action, CONTROL)
  const due = 'continue every thread that is due: deadlines, waits, commands, dead processes'
  on('tick', due, 'tick --json', CONTROL).action(
    action(async () => (await import('./commands/tick.ts')).tick),
  )
}

function specCommands(on: Add, action: Action): void {
  on('init [folder]', 'write a small working project', 'init my-agent')
    .addOption(choice('--as <template>', 'language of the agent', TEMPLATES, 'typescript'))
    .option('--skill', 'write a guide for coding agents (.agents/skills/escapement/SKILL.md)')
    .action(action(async () => (await import('./commands/spec.ts')).init))
  const drawing = 'draw the graph of a spec, or FILE#NAME of a module'
  on('draw <spec>', drawing, 'draw graph.yaml --as mermaid')
    .addOption(choice('--as <form>', 'format of the drawing', DRAWINGS, 'text'))
    .addOption(settings())
    .action(action(async () => (await import('./commands/spec.ts')).draw))
  const traps = 'find what would trap an agent, and the most it can spend (a spec, or FILE#NAME)'
  on('lint <spec>', traps, 'lint graph.yaml --max toolCalls=50')
    .addOption(MAX)
    .addOption(settings())
    .action(action(async () => (await import('./commands/spec.ts')).lintSpec))
  const schema = 'print the JSON Schema of graph specs, for editors'
  on('schema', schema, 'schema > graph.schema.json').action(
    action(async () => (await import('./commands/spec.ts')).schema),
  )
}

const EXIT_CODES = `Exit codes:
  0    the goal is reached
  1    the thread ended without the goal
  2    invalid usage, spec, input or store
  3    waiting for a person
  4    stopped by the escape mechanism
  5    another process drives the thread
  130  cancelled
  143  terminated; the thread can be resumed`
