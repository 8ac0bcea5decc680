/** An error as a message, followed by the command or the edit that fixes it. */
import { oneLine } from '../../../core/watch/data/invisible.ts'
import { isTypo } from '../../../core/watch/data/fault.ts'
import { fieldOf } from '../../../core/watch/data/foreign-field.ts'
import { thrownText } from '../../../core/watch/failure/thrown-text.ts'
import { type Block, type Blocks, bold, dim, styled } from './layout.ts'

/** `redact` removes secrets: the error may be one of the user's own code, or of a driver that cites its settings. `of` is what it is about. */
export function errorBlocks(error: unknown, redact = <T>(value: T): T => value, of = ''): Blocks {
  const message = thrownText(error, redact)
  const [first = '', ...more] = isOneLine(error) ? [oneLine(message)] : message.split('\n')
  const hint = textField(error, 'hint') ?? hintOf(textField(error, 'name'), message)
  return [
    { wrap: [styled('error: ', 'red', 'bold'), of, first], hang: 7 },
    ...more.map((line): Block => ({ wrap: [`       ${line}`], hang: 7 })),
    ...(hint === undefined ? [] : [hintBlock(redact(hint))]),
  ]
}

export const hintBlock = (hint: string): Block => ({
  wrap: [dim('       → '), bold(hint)],
  hang: 9,
})

/** The command that does what an unknown command does in other tools. */
export function hintOfCommand(message: string): string | undefined {
  const [, name = ''] = /unknown command '(\w+)'/.exec(message) ?? []
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

const LIST = 'escapement threads lists the threads of a store'
const SHOW = 'escapement show THREAD prints the state and the events; --follow prints new events'
const COMPARE =
  'escapement inspect opens the inspector: its page Compare shows two threads side by side'

const COMMANDS: Readonly<Record<string, string>> = {
  ...{ ls: LIST, list: LIST, ps: LIST },
  ...{ log: SHOW, logs: SHOW, status: SHOW },
  ...{ diff: COMPARE, compare: COMPARE },
  kill: 'escapement cancel THREAD ends a thread',
  start: 'escapement run SPEC starts a thread',
}

/** Errors that list one fault in each line, with its names escaped. */
const LISTS: ReadonlySet<string> = new Set([
  'CannotBind',
  'InvalidPolicy',
  'InvalidScenario',
  'InvalidSpec',
  'SpecFaults',
])

/**
 * Mistakes of the user, the other errors of escapement, which have a code or a reason, and those of Node.js and of the system. A line
 * break in their messages belongs to a name or a path.
 */
function isOneLine(error: unknown): boolean {
  const name = textField(error, 'name') ?? ''
  const code = textField(error, 'code') ?? textField(fieldOf(error, 'reason'), 'code') ?? ''
  if (LISTS.has(name)) return false
  return name === 'UsageError' || KNOWN_CODE.test(code) || fieldOf(error, 'syscall') !== undefined
}

const KNOWN_CODE = /^([a-z]+(-[a-z]+)*|ERR_\w+)$/

function textField(error: unknown, name: string): string | undefined {
  const value = fieldOf(error, name)
  return typeof value === 'string' ? value : undefined
}

function hintOf(name = '', message: string): string | undefined {
  const missing = [...message.matchAll(/input\.(\w+) is missing/g)].map(([, field]) => field)
  if (name === 'InvalidInput' && missing.length > 0)
    return `add --input '{${missing.map(field => `"${field}": "…"`).join(', ')}}'`
  return HINTS[name]
}

const HINTS: Readonly<Record<string, string>> = {
  UnknownThread:
    'escapement threads lists the threads of a store; --store FILE opens another store',
  ReservedName: 'choose another name with --as or --thread',
  ThreadExists: 'choose another name: --thread of run and sim run, --as of fork and import',
  BoundElsewhere: 'continue the thread with the program that bound its graph',
  InvalidQuery: 'escapement sql --schema lists the tables and the columns of queries',
  Conflict: 'escapement show THREAD --follow prints new events',
}

/** Names that the user may have meant. */
export const nearest = (name: string, names: readonly string[]): readonly string[] =>
  names.filter(each => each.startsWith(name) || isTypo(name, each)).slice(0, 3)
