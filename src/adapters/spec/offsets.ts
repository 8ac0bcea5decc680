/** The offsets of the keys and items of a document, by the path of a fault, as `nodes.B.on[0]`. */
import { isMap, isScalar, isSeq, type Node } from 'yaml'

/** A step of a path. Only the last step of a key or an item has an offset: a key may itself contain dots (`done.command`). */
export interface Step {
  offset?: number
  readonly next: Map<string, Step>
}

/** Each key and each item is read once: paths of a large file together are much longer than the file. */
export function offsetsIn(node: unknown, at: Step = newStep()): Step {
  const add = (key: unknown, value: unknown, name: string) => {
    const step = stepsOf(name).reduce(nextStep, at)
    const offset = (key as Node | null)?.range?.[0]
    if (offset !== undefined) step.offset = offset
    offsetsIn(value, step)
  }
  if (isMap(node))
    for (const { key, value } of node.items)
      add(key, value, `.${String(isScalar(key) ? key.value : key)}`)
  if (isSeq(node)) for (const [index, item] of node.items.entries()) add(item, item, `[${index}]`)
  return at
}

/** The offset of the last existing key on the path of a fault. */
export function offsetOf(offsets: Step, path: string): number | undefined {
  let step: Step | undefined = offsets
  let { offset } = offsets
  for (const name of stepsOf(path.startsWith('[') ? path : `.${path}`)) {
    step = step.next.get(name)
    if (step === undefined) break
    offset = step.offset ?? offset
  }
  return offset
}

const newStep = (): Step => ({ next: new Map() })

/** `.nodes`, `.B`, `.on` and `[0]` of `.nodes.B.on[0]`. */
const stepsOf = (path: string): readonly string[] => path.split(/(?=[.[])/)

function nextStep({ next }: Step, name: string): Step {
  const step = next.get(name) ?? newStep()
  next.set(name, step)
  return step
}
