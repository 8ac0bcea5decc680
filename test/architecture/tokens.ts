/**
 * Reads TypeScript as words and signs, so that rules look at code and not at comments or texts. TypeScript 7 hands out no parser;
 * this much is enough to find imports, banned words, and where functions begin and end.
 */
export interface Token {
  readonly kind: 'word' | 'text' | 'sign'
  /** The word, the content of a text without its quotes, or the sign. */
  readonly text: string
  readonly line: number
}

/** After these a slash begins a regular expression, not a division. */
const BEFORE_REGEX =
  /^(?:[({[,;:=!&|?+\-*%<>~^]|=>|\$\{|return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await)$/

export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = []
  let line = 1
  let at = 0
  /** Templates we are inside of: how deep the braces are in each. */
  const templates: number[] = []

  const push = (kind: Token['kind'], text: string) => tokens.push({ kind, text, line })
  const skip = (to: number) => {
    for (; at < to; at++) if (source[at] === '\n') line++
  }
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  const template = () => {
    const body = take(/(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y) ?? ''
    push('text', body)
    skip(at + body.length)
    if (source[at] === '`') at++
    else if (at < source.length) {
      push('sign', '${')
      templates.push(0)
      at += 2
    }
  }
  const sign = (text: string) => {
    const depth = templates.length - 1
    if (text === '{' && depth >= 0) templates[depth] = (templates[depth] ?? 0) + 1
    if (text === '}' && templates[depth] === 0) {
      push('sign', '}')
      templates.pop()
      at++
      return template()
    }
    if (text === '}' && depth >= 0) templates[depth] = (templates[depth] ?? 1) - 1
    push('sign', text)
    at += text.length
  }
  while (at < source.length) {
    const blank = take(/(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y)
    if (blank) skip(at + blank.length)
    else if (source[at] === '`') {
      at++
      template()
    } else {
      const text = take(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y)
      const regex =
        source[at] === '/' && BEFORE_REGEX.test(tokens.at(-1)?.text ?? '(')
          ? take(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y)
          : undefined
      const word = take(/[\w$#]+/y)
      if (text) push('text', text.slice(1, -1))
      else if (regex) push('text', regex)
      else if (word) push('word', word)
      else sign(take(/=>|[^\s]/y) ?? '')
      if (text ?? regex ?? word) at += (text ?? regex ?? word ?? '').length
    }
  }
  return tokens
}
