/** Faults of `verify` nodes: a gate that cannot judge, or that a rejected result would pass. */
import type { Fault } from '../../watch/data/schema-faults.ts'
import { REJECTED, type WorkingNode } from './node.ts'
import { ofKind, pathsOf, type Spec, targetsOf, workingNodes } from './spec.ts'
import { whenCompiler } from '../cel/when.ts'

type VerifyNode = Extract<WorkingNode, { use: 'verify' }>

const JUDGES = ['tool', 'rubric', 'model'] as const

export function verifyFaults(spec: Spec): Fault[] {
  const paths = pathsOf(spec)
  return workingNodes(spec).flatMap(([name, working]) => {
    const node = ofKind(working, 'verify')
    const path = paths.get(name) ?? name
    return node ? [...judgeFaults(node, path), ...rubricFaults(spec, node, path)] : []
  })
}

function judgeFaults(node: VerifyNode, path: string): Fault[] {
  const given = JUDGES.filter(key => node[key] !== undefined)
  const fault = (key: string, isWrong: boolean, message: string): Fault[] =>
    isWrong ? [{ path: `${path}.${key}`, message }] : []
  const isSilent = node.on !== undefined && targetsOf(node)[`done.${REJECTED}`] === undefined
  return [
    ...(given.length === 1
      ? []
      : [{ path, message: `expected exactly one of: ${JUDGES.join(', ')}` }]),
    ...fault('prompt', node.model !== undefined && node.prompt === undefined, MISSING_PROMPT),
    ...fault('prompt', node.model === undefined && node.prompt !== undefined, 'needs `model`'),
    ...fault('args', node.tool === undefined && node.args !== undefined, 'needs `tool`'),
    // A label of `when` would replace the label of a rejection, and take the edge of a success.
    ...fault('when', node.when !== undefined, 'is not allowed: the judge alone decides'),
    ...fault(`on.done.${REJECTED}`, isSilent, MISSING_EDGE),
  ]
}

const MISSING_PROMPT = 'is missing; expected what the model checks'
const MISSING_EDGE = 'is missing; expected the node that corrects a rejected result'

function rubricFaults(spec: Spec, node: VerifyNode, path: string): Fault[] {
  const compile = whenCompiler(rubricNames(spec, node))
  return Object.entries(node.rubric ?? {}).flatMap(([name, text]) => {
    const { fault } = compile(text)
    return fault ? [{ path: `${path}.rubric.${name}`, message: fault }] : []
  })
}

/** The names in a rubric: the inputs of the node, or any key of a hand-written statechart's context. */
export function rubricNames(spec: Spec, node: VerifyNode): readonly string[] | 'any' {
  if (Array.isArray(node.in)) return node.in
  if (node.in !== undefined) return Object.keys(node.in)
  return spec.machine === undefined ? Object.keys(spec.channels) : 'any'
}
