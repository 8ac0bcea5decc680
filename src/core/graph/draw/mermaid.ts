/** A chart as a Mermaid `stateDiagram-v2`, which knows one kind of arrow only: the label tells a failure and an escape from an outcome. */
import type { Chart } from '../chart.ts'
import { type Arrow, enclosingStates, type Box, type Outline, outlineOf } from './outline.ts'
import { looseEnds, type Connection, connectionsOf } from './connection.ts'

const MARKS: Readonly<Record<Arrow['style'], string>> = { outcome: '', failure: '✗ ', escape: '⤳ ' }

/** Paste it into a Markdown file, between ```` ```mermaid ```` and ```` ``` ````. */
export function drawMermaid(chart: Chart): string {
  const outline = outlineOf(chart)
  const wires = connectionsOf(outline)
  const sheet: Sheet = { outline, wires, loose: looseEnds(wires), idOf: idsOf(chart, outline) }
  const start =
    outline.initial === undefined
      ? undefined
      : [outline.initial, ...enclosingStates(outline, outline.initial)].at(-1)
  return [
    'stateDiagram-v2',
    ...(start === undefined ? [] : [`  [*] --> ${sheet.idOf(start)}`]),
    ...outline.boxes.flatMap(box => boxLines(sheet, box, 1)),
    ...anyLines(sheet, outline.root, 1),
    ...wireLines(sheet, undefined, 1),
    '',
  ].join('\n')
}

interface Sheet {
  readonly outline: Outline
  readonly wires: readonly Connection[]
  readonly loose: readonly string[]
  idOf(state: string): string
}

function boxLines(sheet: Sheet, { state, inner }: Box, depth: number): readonly string[] {
  const { idOf, outline } = sheet
  const id = idOf(state.id)
  const name = outline.nameOf(state.id)
  const title = `state "${plain(name)}" as ${id}`
  if (inner.length === 0)
    return [
      indented(depth, name === id ? id : title),
      ...(state.kind === 'final' ? [indented(depth, `${id} --> [*]`)] : []),
    ]
  const isParallel = state.kind === 'parallel'
  const children = inner.map(box => boxLines(sheet, box, depth + 1))
  return [
    indented(depth, `${name === id ? `state ${id}` : title} {`),
    ...(state.initial === undefined ? [] : [indented(depth + 1, `[*] --> ${idOf(state.initial)}`)]),
    ...(isParallel
      ? children.flatMap((lines, index) =>
          index === 0 ? lines : [indented(depth + 1, '--'), ...lines],
        )
      : children.flat()),
    ...(isParallel ? [] : anyLines(sheet, state.id, depth + 1)),
    ...wireLines(sheet, state.id, depth + 1),
    indented(depth, '}'),
    // Inside a parallel state everything belongs to one of its regions; the mark stands for them all.
    ...(isParallel ? anyLines(sheet, state.id, depth) : []),
  ]
}

function anyLines({ loose, idOf, outline }: Sheet, box: string, depth: number): readonly string[] {
  return loose.includes(box)
    ? [
        indented(
          depth,
          `state "from any state of ${plain(outline.nameOf(box))}" as ${anyOf(idOf(box))}`,
        ),
      ]
    : []
}

function wireLines(
  { wires, idOf }: Sheet,
  within: string | undefined,
  depth: number,
): readonly string[] {
  return wires
    .filter(wire => wire.within === within)
    .map(({ source, target, loose, label, style, any }) => {
      const start = loose ? anyOf(idOf(source)) : idOf(source)
      return indented(
        depth,
        `${start} --> ${idOf(target)} : ${MARKS[style]}${plain(label)}${any ? ' (any)' : ''}`,
      )
    })
}

function anyOf(id: string): string {
  return `${id}_any`
}

/** Words of the notation itself, which no state may be called by. */
const WORDS: ReadonlySet<string> = new Set([
  'as',
  'state',
  'note',
  'end',
  'direction',
  'default',
  'class',
  'classDef',
  'style',
  'click',
  'href',
  'scale',
  'hide',
  'title',
  'accTitle',
  'accDescr',
  'left',
  'right',
  'fork',
  'join',
  'choice',
])

/** A short id for each state, of letters Mermaid reads, and no two alike. */
function idsOf(chart: Chart, { nameOf, root }: Outline): (state: string) => string {
  const ids = new Map<string, string>()
  const given = new Set<string>()
  for (const state of [root, ...chart.states.map(({ id }) => id)]) {
    const word = nameOf(state).replace(/\W/g, '_')
    const safe = WORDS.has(word) || !/^[A-Za-z]/.test(word) ? `s_${word}` : word
    let id = safe
    for (let nth = 2; given.has(id); nth += 1) id = `${safe}_${nth}`
    given.add(id)
    ids.set(state, id)
  }
  return state => ids.get(state) ?? state
}

/** Without the characters that end a label. */
function plain(text: string): string {
  return text.replace(/[";#:{}\n]/g, ' ')
}

function indented(depth: number, text: string): string {
  return `${'  '.repeat(depth)}${text}`
}
