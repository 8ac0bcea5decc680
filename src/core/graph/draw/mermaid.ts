/** A chart as a Mermaid `stateDiagram-v2`. It has one kind of arrow: the label marks a failure or an escape. */
import type { Chart } from '../chart.ts'
import { type Arrow, type Box, type Outline, connectionsOf, indent, outlineOf } from './outline.ts'

const MARKS: Readonly<Record<Arrow['style'], string>> = { outcome: '', failure: '✗ ', escape: '⤳ ' }

/** Paste it into a Markdown file, between ```` ```mermaid ```` and ```` ``` ````. */
export function drawMermaid(chart: Chart): string {
  const outline = outlineOf(chart)
  const { initial, boxes, root, around, nameOf } = outline
  const { connections, looseBoxes } = connectionsOf(outline)
  const idOf = idsOf(chart, outline)
  const start = initial === undefined ? undefined : [initial, ...around(initial)].at(-1)
  return [
    'stateDiagram-v2',
    ...(start === undefined ? [] : [`  [*] --> ${idOf(start)}`]),
    ...boxes.flatMap(box => boxLines(box, 1)),
    ...anyLines(root, 1),
    ...connectionLines(undefined, 1),
    '',
  ].join('\n')

  function boxLines({ state, inner }: Box, depth: number): readonly string[] {
    const id = idOf(state.id)
    const name = nameOf(state.id)
    const title = name === id ? id : `state "${plain(name)}" as ${id}`
    const end = state.kind === 'final' ? [indent(depth, `${id} --> [*]`)] : []
    if (inner.length === 0) return [indent(depth, title), ...end]
    const isParallel = state.kind === 'parallel'
    const children = inner.map(box => boxLines(box, depth + 1))
    const separator = isParallel ? [indent(depth + 1, '--')] : []
    return [
      indent(depth, `${name === id ? `state ${id}` : title} {`),
      ...(state.initial === undefined ? [] : [indent(depth + 1, `[*] --> ${idOf(state.initial)}`)]),
      ...children.flatMap((lines, index) => (index === 0 ? lines : [...separator, ...lines])),
      ...(isParallel ? [] : anyLines(state.id, depth + 1)),
      ...connectionLines(state.id, depth + 1),
      indent(depth, '}'),
      // Everything inside a parallel state belongs to one region: the mark for all regions is outside.
      ...(isParallel ? anyLines(state.id, depth) : []),
    ]
  }

  function anyLines(box: string, depth: number): readonly string[] {
    const title = `from any state of ${plain(nameOf(box))}`
    return looseBoxes.includes(box) ? [indent(depth, `state "${title}" as ${idOf(box)}_any`)] : []
  }

  function connectionLines(box: string | undefined, depth: number): readonly string[] {
    const shown = connections.filter(({ within }) => within === box)
    return shown.map(({ source, target, loose, label, style, any }) => {
      const text = `${MARKS[style]}${plain(label)}${any ? ' (any)' : ''}`
      return indent(depth, `${idOf(source)}${loose ? '_any' : ''} --> ${idOf(target)} : ${text}`)
    })
  }
}

/** Keywords of the notation, which cannot be the id of a state. */
const KEYWORDS =
  /^(as|state|note|end|direction|default|class|classDef|style|click|href|scale|hide|title|accTitle|accDescr|left|right|fork|join|choice)$/

/** A short, unique id for each state, in the characters of Mermaid. */
function idsOf(chart: Chart, { nameOf, root }: Outline): (state: string) => string {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const state of [root, ...chart.states.map(({ id }) => id)]) {
    const word = nameOf(state).replace(/\W/g, '_')
    const safe = KEYWORDS.test(word) || !/^[A-Za-z]/.test(word) ? `s_${word}` : word
    let id = safe
    for (let nth = 2; taken.has(id); nth += 1) id = `${safe}_${nth}`
    taken.add(id)
    ids.set(state, id)
  }
  return state => ids.get(state) ?? state
}

/** Removes the characters that end a label. */
const plain = (text: string): string => text.replace(/[";#:{}\n]/g, ' ')
