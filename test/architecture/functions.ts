/** The first and last line of each function, from its braces, or from the end of the expression of an arrow function. */
import type { Token } from './tokens.ts'

export interface FunctionAt {
  /** The line of its opening parenthesis or arrow. */
  readonly line: number
  readonly lines: number
}

const OPENING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' }
const CLOSING: ReadonlySet<string> = new Set([')', ']', '}'])
/** A parenthesis after one of these holds a condition, not parameters. */
const CONTROL: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch', 'catch', 'with'])
/** Words that cannot stand in the type of what a function returns. */
const NO_TYPE: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'enum',
  'namespace',
  'return',
  'else',
  'try',
  'do',
  'finally',
  'import',
  'export',
  'const',
  'let',
])

export function functionsOf(tokens: readonly Token[]): readonly FunctionAt[] {
  const partner = partners(tokens)
  return tokens.flatMap((token, index): FunctionAt[] => {
    if (token.kind !== 'sign') return []
    if (token.text === '=>' && tokens[index + 1]?.text !== '{')
      return [span(tokens, index, endOfExpression(tokens, index + 1))]
    if (token.text !== '{') return []
    const head = headOf(tokens, index, partner)
    return head === undefined ? [] : [span(tokens, head, partner.get(index) ?? index)]
  })
}

function span(tokens: readonly Token[], from: number, to: number): FunctionAt {
  const line = tokens[from]?.line ?? 0
  return { line, lines: (tokens[to]?.line ?? line) - line + 1 }
}

/** For each bracket, where its partner stands. */
function partners(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const open: number[] = []
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue
    if (text in OPENING) open.push(index)
    else if (CLOSING.has(text)) {
      const before = open.pop() ?? index
      found.set(before, index)
      found.set(index, before)
    }
  }
  return found
}

/** Where the function begins whose body this brace opens; `undefined` if it opens something else. */
function headOf(
  tokens: readonly Token[],
  brace: number,
  partner: ReadonlyMap<number, number>,
): number | undefined {
  const before = tokens[brace - 1]
  if (before?.kind !== 'sign' && before?.kind !== 'word') return undefined
  if (before.text === '=>') return arrowHead(tokens, brace - 1, partner)
  const parenthesis = before.text === ')' ? brace - 1 : typedParenthesis(tokens, brace, partner)
  const open = parenthesis === undefined ? undefined : partner.get(parenthesis)
  if (open === undefined) return undefined
  const name = tokens[open - 1]?.text === 'await' ? tokens[open - 2] : tokens[open - 1]
  return CONTROL.has(name?.text ?? '') ? undefined : open
}

function arrowHead(
  tokens: readonly Token[],
  arrow: number,
  partner: ReadonlyMap<number, number>,
): number {
  const parenthesis =
    tokens[arrow - 1]?.text === ')' ? arrow - 1 : typedParenthesis(tokens, arrow, partner)
  return (parenthesis === undefined ? undefined : partner.get(parenthesis)) ?? arrow
}

/** Steps back over `: Type` to the parenthesis before it. */
function typedParenthesis(
  tokens: readonly Token[],
  from: number,
  partner: ReadonlyMap<number, number>,
): number | undefined {
  for (let at = from - 1; at > 0; at--) {
    const { kind, text } = tokens[at] as Token
    if (kind === 'sign' && CLOSING.has(text)) at = partner.get(at) ?? at
    else if (kind === 'sign' && text === ':')
      return at < from - 1 && tokens[at - 1]?.text === ')' ? at - 1 : undefined
    else if (kind === 'sign' ? !/^[<>|&.?,]$/.test(text) : NO_TYPE.has(text)) return undefined
  }
  return undefined
}

/** Tokens that continue an expression across a line break, at the end of a line or at the start of the next. */
const GOES_ON = /^(?:[.?:+\-*/%&|<>=,([{]|=>|\$\{)$/

function endOfExpression(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const { kind, text, line } = tokens[at] as Token
    const sign = kind === 'sign'
    if (depth === 0 && at > from) {
      const last = tokens[at - 1] as Token
      if (sign && /^[,;)\]}]$/.test(text)) return at - 1
      if (
        line > last.line &&
        !(sign && GOES_ON.test(text)) &&
        !(last.kind === 'sign' && GOES_ON.test(last.text))
      )
        return at - 1
    }
    if (sign && text in OPENING) depth++
    if (sign && CLOSING.has(text)) depth--
  }
  return tokens.length - 1
}
