/** A machine as a module in the notation of XState, for the tools of Stately and for reading. */
import { isMap } from '../../watch/data/json.ts'
import type { Config } from '../compile.ts'
import {
  type ActionPart,
  type EdgePart,
  type GuardPart,
  partsOf,
  type StatePart,
} from './config.ts'
import { indent } from './outline.ts'

/** The code of the actions and guards that core provides. */
const ACTIONS: Readonly<Record<string, string>> = {
  write: 'assign(({ event }) => event.writes ?? {})',
}
const GUARDS: Readonly<Record<string, string>> = {
  mine: "({ event }, { region }) => event.region === '' || event.region === region",
  to: '({ event }, { to }) => event.to === to',
  route:
    '({ event }, { rung, to, region }) => event.rung === rung && (to === undefined || event.to === to) && (region === undefined || event.region === region)',
}

/**
 * A module that exports the machine. It steps as the runtime steps it; effects are actions that do nothing. Of a hand-written
 * statechart, actions and guards are names without their code.
 * @example escapement draw graphs/ring.yaml --as xstate > ring.machine.js
 */
export function drawXState(source: Config): string {
  const state = partsOf(source)
  const [actions, guards] = [new Set<string>(), new Set<string>()]
  const lines = stateLines(state, { actions, guards })
  const code = (names: ReadonlySet<string>, known: typeof ACTIONS, other: string) =>
    [...names].sort().map(name => `${keyOf(name)}: ${known[name] ?? other},`)
  const config = [
    `context: ({ input }) => ({ ...${literal(startOf(source))}, ...input }),`,
    ...lines,
  ]
  const text = [
    'export const machine = setup({',
    ...[
      ...block('actions', code(actions, ACTIONS, '() => {}')),
      ...block('guards', code(guards, GUARDS, '() => true')),
    ].map(line => indent(1, line)),
    '}).createMachine({',
    ...config.map(line => indent(1, line)),
    '})',
    '',
  ].join('\n')
  const used = ['and', 'assign', 'not', 'or', 'stateIn'].filter(name => text.includes(`${name}(`))
  return `import { ${[...used, 'setup'].sort().join(', ')} } from 'xstate'\n\n${text}`
}

/** The context of a thread without input. */
function startOf({ context }: Config): unknown {
  if (typeof context !== 'function') return context ?? {}
  try {
    return (context as (of: unknown) => unknown)({ input: {} })
  } catch {
    return {} // It needs its input.
  }
}

interface Names {
  readonly actions: Set<string>
  readonly guards: Set<string>
}

function stateLines(state: StatePart, names: Names): readonly string[] {
  const { id, type, initial, tags, entry, exit, on, always, onDone, states } = state
  const field = (name: string, value: unknown) => `${name}: ${literal(value)},`
  const actions = (name: string, list: readonly ActionPart[]) =>
    list.length === 0 ? [] : [`${name}: ${actionsText(list, names)},`]
  const edges = (event: string, list: readonly EdgePart[]) =>
    listLines(
      event,
      list.map(edge => edgeText(edge, names)),
    )
  return [
    field('id', id),
    ...(type === undefined ? [] : [field('type', type)]),
    ...(initial === undefined ? [] : [field('initial', initial)]),
    ...(tags.length === 0 ? [] : [field('tags', tags)]),
    ...actions('entry', entry),
    ...actions('exit', exit),
    ...block(
      'on',
      on.flatMap(([event, list]) => edges(keyOf(event), list)),
    ),
    ...edges('always', always),
    ...edges('onDone', onDone),
    ...block(
      'states',
      states.flatMap(([key, inner]) => block(keyOf(key), stateLines(inner, names))),
    ),
  ]
}

function listLines(name: string, items: readonly string[]): readonly string[] {
  if (items.length < 2) return items.map(item => `${name}: ${item},`)
  return [`${name}: [`, ...items.map(item => indent(1, `${item},`)), '],']
}

const block = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${name}: {`, ...lines.map(line => indent(1, line)), '},']

function edgeText({ target, guard, actions, reenter }: EdgePart, names: Names): string {
  const fields = [
    ...(target === undefined ? [] : [`target: ${literal(target)}`]),
    ...(guard === undefined ? [] : [`guard: ${guardText(guard, names)}`]),
    ...(actions.length === 0 ? [] : [`actions: ${actionsText(actions, names)}`]),
    ...(reenter ? ['reenter: true'] : []),
  ]
  return `{ ${fields.join(', ')} }`
}

function actionsText(actions: readonly ActionPart[], { actions: names }: Names): string {
  for (const { type } of actions) names.add(type)
  return literal(actions)
}

function guardText(guard: GuardPart, names: Names): string {
  if (guard.kind === 'in') return `stateIn(${literal(guard.state)})`
  if (guard.kind === 'named') {
    const { type, params } = guard
    names.guards.add(type)
    return literal(params === undefined ? { type } : { type, params })
  }
  const inner = guard.guards.map(part => guardText(part, names)).join(', ')
  return guard.kind === 'not' ? `not(${inner})` : `${guard.kind}([${inner}])`
}

const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key))

/** A JSON value as code. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (!isMap(value)) return JSON.stringify(value) ?? 'undefined'
  const fields = Object.entries(value).map(([key, inner]) => `${keyOf(key)}: ${literal(inner)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
