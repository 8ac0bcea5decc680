/** The source files, their imports, and the folder of each. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { type Token, tokensOf } from './tokens.ts'

export interface Import {
  /** A file of ours, or the name of a package. */
  readonly target: string
  readonly own: boolean
  /** `import type`: gone when the program runs. */
  readonly typeOnly: boolean
}

export interface SourceFile {
  /** From the top of the tree, as `src/core/run/run.ts`. */
  readonly path: string
  readonly room: string
  readonly text: string
  readonly tokens: readonly Token[]
  readonly imports: readonly Import[]
}

/** From the ground up. An import may only go to a room of the same or of a lower floor. */
export const FLOORS = [
  'core/watch',
  'core/graph',
  'core',
  'runtime',
  'kit',
  'testing',
  'simulate',
  'adapters',
  'host',
  'faces',
  'top',
] as const

export function sourceFiles(): readonly SourceFile[] {
  return ['src', 'machines', 'graphs']
    .flatMap(folder =>
      existsSync(folder)
        ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => join(folder, file))
        : [],
    )
    .flatMap(path => {
      if (!path.endsWith('.ts')) return []
      const text = readFileSync(path, 'utf8')
      const tokens = tokensOf(text)
      return [{ path, room: roomOf(path), text, tokens, imports: importsOf(path, tokens) }]
    })
}

/** `core/watch`, `runtime`, `adapters/model`, `faces/cli`, `machines`, …; files directly in src are at the `top`. */
export function roomOf(path: string): string {
  const [root = '', first = '', second = ''] = path.split('/')
  if (root !== 'src') return root
  if (first.endsWith('.ts')) return 'top'
  const inner = !second.endsWith('.ts') && second !== ''
  if (first === 'core')
    return inner && FLOORS.some(floor => floor === `core/${second}`) ? `core/${second}` : 'core'
  const isGrouped = first === 'adapters' || first === 'host' || first === 'faces'
  return isGrouped && inner ? `${first}/${second}` : first
}

export function floorOf(room: string): number {
  return FLOORS.findIndex(
    floor =>
      floor === room || (!floor.includes('/') && floor !== 'core' && room.startsWith(`${floor}/`)),
  )
}

export function importsOf(path: string, tokens: readonly Token[]): readonly Import[] {
  return tokens.flatMap((token, index): Import[] => {
    if (token.kind !== 'text') return []
    const [before, earlier] = [tokens[index - 1], tokens[index - 2]]
    const plain = before?.kind === 'word' && (before.text === 'from' || before.text === 'import')
    const called = before?.text === '(' && earlier?.text === 'import'
    if (!plain && !called) return []
    const own = token.text.startsWith('.')
    return [
      {
        target: own ? normalize(join(dirname(path), token.text)) : token.text,
        own,
        typeOnly: plain && isTypeOnly(tokens, index),
      },
    ]
  })
}

/** Looks back from `from '…'` to the statement's `import type` or `export type`. */
function isTypeOnly(tokens: readonly Token[], from: number): boolean {
  for (let at = from - 1; at >= 0; at--) {
    const { text, kind } = tokens[at] as Token
    if (kind === 'word' && (text === 'import' || text === 'export'))
      return tokens[at + 1]?.text === 'type' && tokens[at + 2]?.text !== 'from'
  }
  return false
}
