/**
 * What a coding agent puts around the refusal of a call: `<tool_use_error>…</tool_use_error>`, `<error_details>…</error_details>`.
 *
 * Hard cases: a page or a report of a linter may begin with such an element, too, therefore it has no attributes and ends the answer.
 * After the message, sections quote the call and the file: each attempt quotes something else.
 */
const ELEMENT = /^(?:[^<\n]{0,200}\n\s{0,8})?<(\w{0,20}error(?:_\w{1,20})?)>/i
const SECTION = /\n\n(?:[A-Z]\w{1,20} ){0,3}[A-Z]\w{1,20}:[ \t]*\n/
const LENGTH_MAX = 16_384

/** The message in the element; `undefined` for another answer. */
export function errorInElement(answer: string): string | undefined {
  if (answer.length > LENGTH_MAX) return undefined
  const text = answer.trim()
  const [opening, name] = ELEMENT.exec(text) ?? []
  if (opening === undefined || !text.endsWith(`</${name}>`)) return undefined
  const message = text.slice(opening.length, -`</${name}>`.length)
  return /^\s*</.test(message) ? undefined : message.split(SECTION, 1)[0]?.trim()
}
