/** Lint: declarations without effect. */
import { exchangeableIn } from '../../watch/escape/order.ts'
import { moneyLimits } from '../../watch/policy/money-limits.ts'
import { matchesTool } from '../../watch/policy/policy.ts'
import { isCustomUse } from '../spec/name.ts'
import type { WorkingNode } from '../spec/node.ts'
import { channelsWrittenBy, ofKind, smarterModel, offeredTools } from '../spec/spec.ts'
import type { Spec, WithSubstitutes } from '../spec/spec.ts'
import type { Flow, Remark } from './flow.ts'
import { error, toolOf, warning } from './flow.ts'

/** Reviewers that no notifier serves. */
export function reviewWithoutNotifier({ spec: { escape, notify = [] } }: Flow): Remark[] {
  const { to, escalate = [] } = escape.review ?? {}
  const reviewers = [
    ...(to === undefined ? [] : [['escape.review.to', to] as const]),
    ...escalate.map((step, index) => [`escape.review.escalate[${index}].to`, step.to] as const),
  ]
  const serves = (name: string) =>
    notify.some(notifier => notifier === 'log' || (notifier.to?.includes(name) ?? true))
  return reviewers
    .filter(([, name]) => !serves(name))
    .map(([path, name]) => {
      const message = `no notifier serves '${name}', who would not learn of the question: name it in the \`to\` of one, or add \`log\``
      return warning(path, message)
    })
}

/** The rung `rethink` skips a model whose `smarter` model is the same. `bindGraph` rejects it. */
export function smarterIsTheSame({ spec }: Pick<Flow, 'spec'>): Remark[] {
  return Object.entries(spec.models).flatMap(([name, { smarter }]) => {
    if (smarter === undefined || smarterModel(spec, name) !== undefined) return []
    const message = `'${smarter}' is the same model behind the same endpoint, which makes \`rethink\` not applicable: name another one, or remove it`
    return error(`models.${name}.smarter`, message)
  })
}

/** The fields of the output of built-in nodes. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  model: ['message', 'text', 'calls'],
  tools: ['messages', 'results', 'completed'],
  map: ['results', 'failed', 'left'],
  verify: ['passed', 'reasons', 'messages'],
}

/** Channels of the output that no node writes, and paths of `out` that the output of a built-in node never has. */
export function neverWritten({ spec, working, paths }: Flow): Remark[] {
  const nodes = [...working]
  const written = new Set([
    ...spec.input,
    ...nodes.flatMap(([, node]) => channelsWrittenBy(node.out)),
  ])
  const hasValue = (name: string) => written.has(name) || spec.channels[name]?.default !== undefined
  return [
    ...(spec.output ?? []).flatMap((name, index) =>
      hasValue(name)
        ? []
        : [warning(`output[${index}]`, `no node writes '${name}', so its result is always null`)],
    ),
    ...nodes.flatMap(([name, node]) => unknownFields(node, `${paths.get(name)}.out`)),
  ]
}

function unknownFields({ use, out }: WorkingNode, path: string): Remark[] {
  const fields = Object.hasOwn(FIELDS, use) ? FIELDS[use] : undefined
  if (!fields || typeof out !== 'object') return []
  const pairs = Array.isArray(out) ? out.map(name => [name, name] as const) : Object.entries(out)
  return pairs
    .filter(([, from]) => from !== '.' && !fields.includes(from.split('.')[0] ?? ''))
    .map(([channel, from]) =>
      error(
        `${path}.${channel}`,
        `the output of \`use: ${use}\` has no '${from}': use one of ${fields.join(', ')}`,
      ),
    )
}

export function unused({ spec, policy, working }: Flow): Remark[] {
  const nodes = [...working.values()]
  const tools = new Set([...nodes.flatMap(node => toolOf(node) ?? []), ...offeredTools(spec)])
  const models = new Set([
    ...nodes.flatMap(node => (ofKind(node, 'model') ?? ofKind(node, 'verify'))?.model ?? []),
    ...Object.values(spec.models).flatMap(({ smarter }) => smarter ?? []),
  ])
  const graphs = new Set(nodes.flatMap(node => ('graph' in node ? [node.graph] : [])))
  // Custom code may call any model or graph.
  const isCustom = nodes.some(({ use }) => isCustomUse(use))
  const substitutes = { tools: substitutesIn(spec.tools), models: substitutesIn(spec.models) }
  const isNamed = {
    tool: (name: string) => tools.has(name) || substitutes.tools.has(name),
    model: (name: string) => isCustom || models.has(name) || substitutes.models.has(name),
    graph: (name: string) => isCustom || graphs.has(name),
    channel: channelNaming(spec, nodes),
  }
  const unusedNames = (kind: keyof typeof isNamed) =>
    Object.keys(spec[`${kind}s`])
      .filter(name => !isNamed[kind](name))
      .map(name =>
        warning(`${kind}s.${name}`, `no node uses the ${kind} '${name}': use it, or remove it`),
      )
  return [
    ...unusedNames('tool'),
    ...unusedNames('model'),
    ...unusedNames('graph'),
    ...(policy.escape.ladder.includes('substitute')
      ? []
      : [...unusedSubstitutes('tools', spec.tools), ...unusedSubstitutes('models', spec.models)]),
    ...(policy.escape.wait === undefined || policy.escape.ladder.includes('wait')
      ? []
      : [warning('escape.wait', UNUSED_WAIT)]),
    ...(policy.escape.learn && exchangeableIn(policy.escape.ladder).length === 0
      ? [warning('escape.learn', UNUSED_LEARN)]
      : []),
    ...uncountedMoney(spec),
    ...unmatchedPatterns(spec),
    ...unusedNames('channel'),
  ]
}

const UNUSED_WAIT =
  'never used, because `escape.ladder` has no `wait`: add it, or remove `escape.wait`'

const UNUSED_LEARN =
  'never used, because `rethink` and `alternative` do not follow each other in `escape.ladder`: change the ladder, or remove `escape.learn`'

/** The most pairs of a limit and a model that are reported one by one. A file of 1 MB could have twenty million. */
const MONEY_PAIRS_MAX = 10_000

/** A limit of money counts only models with a price. */
function uncountedMoney({ limits, models }: Spec): Remark[] {
  const places = moneyLimits(limits)
  const unpriced = Object.entries(models).flatMap(([name, { price }]) => (price ? [] : name))
  const isLong = places.length * unpriced.length > MONEY_PAIRS_MAX
  const more = isLong ? ` and ${unpriced.length - 1} more, which have` : ', which has'
  const messages = (isLong ? unpriced.slice(0, 1) : unpriced).map(
    name => `does not count the model '${name}'${more} no price: set models.${name}.price`,
  )
  return places.flatMap(place => messages.map(message => warning(place, message)))
}

function unusedSubstitutes(kind: 'tools' | 'models', all: WithSubstitutes): Remark[] {
  const message =
    'never used, because `escape.ladder` has no `substitute`: add it, or remove the substitutes'
  return Object.entries(all).flatMap(([name, { substitutes = [] }]) =>
    substitutes.length === 0 ? [] : [warning(`${kind}.${name}.substitutes`, message)],
  )
}

/** Each pattern is compared with each tool. A file of 1 MB could ask for a billion comparisons. */
const PAIRS_MAX = 1_000_000

function unmatchedPatterns({ confirm, tools }: Spec): Remark[] {
  const names = Object.keys(tools)
  const patterns = Object.keys(confirm).filter(pattern => pattern.includes('*'))
  if (patterns.length * names.length > PAIRS_MAX) {
    const message = `its ${patterns.length} patterns and ${names.length} tools are too many to compare: patterns that match no tool are not reported`
    return [warning('confirm', message)]
  }
  return patterns
    .filter(pattern => !names.some(tool => matchesTool(pattern, tool)))
    .map(pattern => {
      const message = `no tool matches '${pattern}': correct the pattern, or remove it`
      return warning(`confirm.${pattern}`, message)
    })
}

const substitutesIn = (all: WithSubstitutes): ReadonlySet<string> =>
  new Set(Object.values(all).flatMap(({ substitutes = [] }) => substitutes))

function channelNaming(spec: Spec, nodes: readonly WorkingNode[]): (name: string) => boolean {
  const named = new Set([
    ...spec.input,
    ...(spec.output ?? []),
    ...nodes.flatMap(node => [
      ...(Array.isArray(node.in) ? node.in : Object.values(node.in ?? {})),
      ...channelsWrittenBy(node.out),
      ...('over' in node ? [node.over] : []),
    ]),
  ])
  // Expressions, prompts and arguments name channels inside a text.
  const keys = ['when', 'prompt', 'question', 'args', 'with']
  const inNodes = nodes.map(node => keys.map(key => (node as Record<string, unknown>)[key]))
  // A hyphen may also subtract: `a-b` names `a`, `b` and `a-b`.
  const texts = JSON.stringify([spec.progress, inNodes])
  const words = new Set([...(texts.match(/\w+/g) ?? []), ...(texts.match(/\w[\w-]*/g) ?? [])])
  return name => named.has(name) || words.has(name)
}
