/** Lint: what is declared and named nowhere. */
import { matchesTool } from '../../watch/policy/confirm.ts'
import type { WorkingNode } from '../spec/node.ts'
import { channelsWrittenBy } from '../spec/nodes.ts'
import type { Remark } from './finding.ts'
import { type Flow, toolOf } from './flow.ts'
import { isCustomUse } from '../spec/name.ts'

export function unused({ spec, policy, working }: Flow): Remark[] {
  const nodes = [...working.values()]
  const tools = new Set(
    nodes.flatMap(node => [toolOf(node) ?? [], 'tools' in node ? (node.tools ?? []) : []].flat()),
  )
  const models = new Set([
    ...nodes.flatMap(node => (node.use === 'model' ? [(node as { model: string }).model] : [])),
    ...Object.values(spec.models).flatMap(({ smarter }) => smarter ?? []),
  ])
  const graphs = new Set(nodes.flatMap(node => ('graph' in node ? [node.graph] : [])))
  // Code of your own names models and graphs where it cannot be seen.
  const custom = nodes.some(({ use }) => isCustomUse(use))
  return [
    ...unusedNames(
      'tool',
      Object.keys(spec.tools),
      name => tools.has(name) || isSubstitute(spec.tools, name),
    ),
    ...(custom
      ? []
      : unusedNames(
          'model',
          Object.keys(spec.models),
          name => models.has(name) || isSubstitute(spec.models, name),
        )),
    ...(custom ? [] : unusedNames('graph', Object.keys(spec.graphs), name => graphs.has(name))),
    ...(policy.escape.ladder.includes('substitute')
      ? []
      : [...unusedSubstitutes('tools', spec.tools), ...unusedSubstitutes('models', spec.models)]),
    ...unmatchedPatterns(spec),
    ...unusedNames('channel', Object.keys(spec.channels), channelNaming(spec, nodes)),
  ]
}

type Standing = Readonly<Record<string, { readonly substitutes?: readonly string[] | undefined }>>

/** Substitutes that are never asked. */
function unusedSubstitutes(kind: 'tools' | 'models', all: Standing): Remark[] {
  return Object.entries(all).flatMap(([name, { substitutes = [] }]) =>
    substitutes.length === 0
      ? []
      : [
          {
            rule: 'unused',
            severity: 'warning',
            path: `${kind}.${name}.substitutes`,
            message:
              'nobody stands in, for `escape.ladder` has no `substitute`: add it, or take the substitutes out',
          },
        ],
  )
}

/** Patterns that no tool fits: what was meant to be confirmed is not. */
function unmatchedPatterns({ confirm = {}, tools }: Flow['spec']): Remark[] {
  return Object.keys(confirm)
    .filter(
      pattern =>
        pattern.includes('*') && !Object.keys(tools).some(tool => matchesTool(pattern, tool)),
    )
    .map(pattern => ({
      rule: 'unused',
      severity: 'warning',
      path: `confirm.${pattern}`,
      message: `no tool fits '${pattern}': correct the pattern, or take it out`,
    }))
}

function isSubstitute(all: Standing, name: string): boolean {
  return Object.values(all).some(({ substitutes = [] }) => substitutes.includes(name))
}

function unusedNames(
  kind: 'tool' | 'model' | 'graph' | 'channel',
  declared: readonly string[],
  isNamed: (name: string) => boolean,
): Remark[] {
  return declared
    .filter(name => !isNamed(name))
    .map(name => ({
      rule: 'unused',
      severity: 'warning',
      path: `${kind}s.${name}`,
      message: `no node names the ${kind} '${name}': name it where it is meant to be used, or take it out`,
    }))
}

function channelNaming(
  spec: Flow['spec'],
  nodes: readonly WorkingNode[],
): (name: string) => boolean {
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
  const texts = JSON.stringify([
    spec.progress,
    ...nodes.map(({ when, ...node }) => [
      when,
      'prompt' in node && node.prompt,
      'question' in node && node.question,
      'args' in node && node.args,
      'with' in node && node.with,
    ]),
  ])
  return name => named.has(name) || new RegExp(`\\b${name}\\b`).test(texts)
}
