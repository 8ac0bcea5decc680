/** Clues in the values of answers: empty, cut off, without content, counted twice, or in contradiction with another value. */
import { callKey, canonical, isMap } from '../data/json.ts'
import type { Attribution } from './fault.ts'
import { answersIn, clue } from './clues.ts'
import { Continuations } from './continuations.ts'
import { countClues } from './count-clues.ts'
import { type Answered, fieldsOf, type Step } from './step.ts'
import {
  answersByTool,
  hasEnd,
  isBareSuccess,
  isEmptyValue,
  isUsual,
  shapeOf,
  type ToolAnswers,
} from './tool-answers.ts'
import { WriteOrigin } from './write-origin.ts'

export function valueClues(steps: readonly Step[]): readonly Attribution[] {
  const answers = answersIn(steps)
  const tools = answersByTool(answers)
  const odd = answers.flatMap(of => shapeClues(of, tools.get(of.subject) as ToolAnswers))
  return [
    ...odd,
    ...countClues(steps),
    ...contradictionClues(steps, new Set(odd.map(({ at }) => at))),
    ...rejectionClues(steps),
  ]
}

/** Clues in one answer, beside the other answers of its tool. */
function shapeClues(of: Answered, tool: ToolAnswers): readonly Attribution[] {
  if (isEmptyValue(of.value))
    return tool.empty > 1 ? [] : [clue('empty', of, of.writes && tool.count === 1 ? 0.6 : 0.85)]
  if (isCutOff(of, tool)) return [clue('truncated', of, 0.8)]
  if (isBareSuccess(of.value) && tool.bare === 1) return [clue('no-effect', of, 0.75)]
  return isOfOtherShape(of, tool) ? [clue('wrong', of, 0.66)] : []
}

/** Characters from which on a text should end like a sentence. */
const SENTENCE = 20

function isCutOff({ value, args }: Answered, tool: ToolAnswers): boolean {
  const given = new Continuations()
  for (const text of fieldsOf(args).values()) if (typeof text === 'string') given.add(text)
  const elsewhere = tool.fieldsFor(args)
  return [...fieldsOf(value)].some(([path, inner]) => {
    if (given.has(inner) || elsewhere.get(path)?.has(inner)) return true
    const isUnended = typeof inner === 'string' && inner.length >= SENTENCE && !hasEnd(inner)
    return isUnended && tool.ended.has(path)
  })
}

/** Fields that no other answer of the tool has, or a flag that another has the other way. A check may answer both. */
function isOfOtherShape({ value }: Answered, tool: ToolAnswers): boolean {
  if (!isMap(value)) return false
  const isFlagTurned = [...fieldsOf(value)].some(
    ([path, flag]) => flag === false && tool.flags.has(path) && path !== 'passed',
  )
  if (isFlagTurned) return true
  const own = isUsual(value) ? 1 : 0
  const isAlone = (tool.shapes.get(shapeOf(value)) ?? 0) === own
  return isAlone && tool.usual - own > 1 && tool.shapes.size - own === 1
}

/** Two answers to the same question differ, and nothing was changed between them. The one that stands alone is wrong. */
function contradictionClues(
  steps: readonly Step[],
  odd: ReadonlySet<number>,
): readonly Attribution[] {
  const reads = readsByState(steps).filter(({ of }) => !odd.has(of.seq))
  const groups = Map.groupBy(reads, ({ key }) => key)
  return [...groups.values()].flatMap(group => {
    const votes = Map.groupBy(group, ({ of }) => canonical(of.value))
    const [first] = group
    if (votes.size < 2 || !first) return []
    const alone = [...votes.values()].filter(({ length }) => length === 1).flat()
    const isOdd = votes.size === 2 && group.length > 2 ? alone[0] : undefined
    return [clue('wrong', (isOdd ?? first).of, 0.7)]
  })
}

interface Read {
  readonly key: string
  readonly of: Answered
}

/** Reads, by what they ask and the writes before them. A write with the same arguments as before changes nothing. */
function readsByState(steps: readonly Step[]): readonly Read[] {
  const written = new Set<string>()
  return answersIn(steps).flatMap(of => {
    if (of.writes) {
      written.add(callKey(of.subject, of.args))
      return []
    }
    if (isEmptyValue(of.value)) return []
    const shape = isMap(of.value) ? Object.keys(of.value).toSorted().join() : ''
    // Two tools that answer the same arguments with the same fields answer the same question.
    return [{ key: `${written.size} ${callKey(shape, of.args)}`, of }]
  })
}

/** A check rejects what was written: the answer from which the written value came is wrong. */
function rejectionClues(steps: readonly Step[]): readonly Attribution[] {
  const origin = new WriteOrigin()
  return steps.flatMap(step => {
    const { blamed } = origin
    const isRejected = isRejection(step)
    if (step.step === 'answered') origin.add(step, isRejected)
    return isRejected && blamed ? [clue('wrong', blamed, 0.62)] : []
  })
}

/** A gate, or a tool that checks. */
const isRejection = (step: Step): boolean =>
  step.step === 'rejected' ||
  (step.step === 'answered' && isMap(step.value) && step.value.passed === false)
