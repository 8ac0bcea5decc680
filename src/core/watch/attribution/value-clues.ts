/** Clues in the values of answers: empty, cut off, without content, counted twice, or in contradiction with another value. */
import { callKey, canonical, isMap, type Json } from '../data/json.ts'
import type { Attribution } from './fault.ts'
import { answersIn, clue, isEmptyValue } from './clues.ts'
import { type Answered, fieldsOf, type Step } from './step.ts'

export function valueClues(steps: readonly Step[]): readonly Attribution[] {
  const answers = answersIn(steps)
  const odd = answers.flatMap(of => shapeClues(of, answers))
  return [
    ...odd,
    ...countClues(steps),
    ...contradictionClues(steps, new Set(odd.map(({ at }) => at))),
    ...rejectionClues(steps),
  ]
}

/** Clues in one answer, beside the other answers of its tool. */
function shapeClues(of: Answered, answers: readonly Answered[]): readonly Attribution[] {
  const others = answers.filter(other => other !== of && other.subject === of.subject)
  if (isEmptyValue(of.value)) {
    const isUsual = others.some(({ value }) => isEmptyValue(value))
    return isUsual ? [] : [clue('empty', of, of.writes && others.length === 0 ? 0.6 : 0.85)]
  }
  if (isCutOff(of, others)) return [clue('truncated', of, 0.8)]
  if (isBareSuccess(of.value) && !others.some(({ value }) => isBareSuccess(value)))
    return [clue('no-effect', of, 0.75)]
  return isOfOtherShape(of, others) ? [clue('wrong', of, 0.66)] : []
}

const SUCCESS: ReadonlySet<string> = new Set(['done', 'ok', 'success', 'status', 'accepted'])

/** `{ done: true }`: an answer that says only that all is well. */
const isBareSuccess = (value: Json): boolean =>
  isMap(value) &&
  Object.entries(value).every(
    ([key, inner]) => SUCCESS.has(key) && (inner === true || inner === 'ok'),
  )

/** Characters from which on a text should end like a sentence. */
const SENTENCE = 20

function isCutOff({ value, args }: Answered, others: readonly Answered[]): boolean {
  const given = [...fieldsOf(args).values()].filter(text => typeof text === 'string')
  const elsewhere = others.map(other => ({
    same: callKey('', other.args) === callKey('', args),
    fields: fieldsOf(other.value),
  }))
  return [...fieldsOf(value)].some(([path, inner]) => {
    if (given.some(text => isPartOf(inner, text))) return true
    if (elsewhere.some(({ same, fields }) => same && isPartOf(inner, fields.get(path) ?? null)))
      return true
    const texts = elsewhere.flatMap(({ fields }) => fields.get(path) ?? [])
    const isUnended = typeof inner === 'string' && inner.length >= SENTENCE && !hasEnd(inner)
    return isUnended && texts.some(text => typeof text === 'string' && hasEnd(text))
  })
}

const hasEnd = (text: string): boolean => /[.!?)\]}>"'`]\s*$/.test(text)

/** A proper beginning: of a text, or of a list. */
function isPartOf(part: Json, whole: Json): boolean {
  if (typeof part === 'string' && typeof whole === 'string')
    return part !== '' && part.length < whole.length && whole.startsWith(part)
  if (!Array.isArray(part) || !Array.isArray(whole) || part.length >= whole.length) return false
  return part.every((item, index) => canonical(item) === canonical(whole[index]))
}

/** Fields that no other answer of the tool has, or a flag that all others have the other way. */
function isOfOtherShape({ value }: Answered, others: readonly Answered[]): boolean {
  if (!isMap(value) || others.length === 0) return false
  const shape = (of: Json) => (isMap(of) ? Object.keys(of).toSorted().join() : typeof of)
  const usual = others.filter(other => !isEmptyValue(other.value) && !isBareSuccess(other.value))
  if (usual.some(other => isFlagTurned(value, other.value))) return true
  const isAlone = usual.length > 1 && usual.every(other => shape(other.value) !== shape(value))
  const isSplit = usual.length > 1 && new Set(usual.map(other => shape(other.value))).size === 1
  return isAlone && isSplit
}

/** A flag that another answer has the other way. A check may answer both. */
function isFlagTurned(value: Json, usual: Json): boolean {
  const fields = fieldsOf(usual)
  return [...fieldsOf(value)].some(
    ([path, flag]) => flag === false && fields.get(path) === true && path !== 'passed',
  )
}

/** A counter in the answers of a write that advances by two at once: the reply to the first delivery counts one. */
function countClues(steps: readonly Step[]): readonly Attribution[] {
  const answers = answersIn(steps)
  const isSteady = steps.every(({ step }) => step !== 'failed' && step !== 'restarted')
  return answers.flatMap(of => {
    // A call that failed may have counted, too.
    if (!of.writes || !isSteady) return []
    const writes = answers.filter(other => other.subject === of.subject && other.seq <= of.seq)
    const before = writes.at(-2)
    const next = answers.find(other => other.subject === of.subject && other.seq > of.seq)
    return [...fieldsOf(of.value)].some(([path, count]) => {
      const start = before ? fieldsOf(before.value).get(path) : 0
      const after = next ? fieldsOf(next.value).get(path) : undefined
      if (typeof start !== 'number' || count !== start + 2) return false
      // A single wrong number does not carry on.
      return (
        /count|change|version|orders|total|number/i.test(path) && (!next || after === count + 1)
      )
    })
      ? [clue('duplicate', before ?? of, 0.7)]
      : []
  })
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
  return steps.flatMap((step, index) => {
    if (!isRejection(step)) return []
    const before = answersIn(steps.slice(0, index))
    const write = before.findLast(({ writes }) => writes)
    if (!write) return []
    const numbers = [...fieldsOf(write.args).values()].filter(value => typeof value === 'number')
    const origin = before.findLast(
      of =>
        of.seq < write.seq &&
        !of.writes &&
        [...fieldsOf(of.value).values()].some(value => numbers.includes(value as number)),
    )
    const last = before.findLast(of => !of.writes && of.seq < write.seq && !isRejection(of))
    const blamed = origin ?? last
    return blamed ? [clue('wrong', blamed, 0.62)] : []
  })
}

/** A gate, or a tool that checks. */
const isRejection = (step: Step): boolean =>
  step.step === 'rejected' ||
  (step.step === 'answered' && isMap(step.value) && step.value.passed === false)
