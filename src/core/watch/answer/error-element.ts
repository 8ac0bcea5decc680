/**
 * What a coding agent puts around the refusal of a call: `<tool_use_error>…</tool_use_error>` of Claude Code, `<error_details>…</error_details>`
 * of Roo Code, also after a line that says what was tried.
 *
 * Hard case: after the message of Roo Code, sections quote the call and the file, and each attempt quotes something else.
 * Rejected: every element whose name has the word error. A file, a report or a number may be in it.
 */
const ELEMENT = /^(?:[^<\n]{0,200}\n\s{0,8})?<(tool_use_error|error_details)>/
const SECTION = /\n\n(?:Debug Info|Search Content|Best Match Found|Original Content):[ \t]*\n/
const LENGTH_MAX = 16_384

/** The message in the element; `undefined` for another answer. */
export function errorInElement(answer: string): string | undefined {
  if (answer.length > LENGTH_MAX) return undefined
  const text = answer.trim()
  const [opening, name] = ELEMENT.exec(text) ?? []
  const closing = `</${name}>`
  if (opening === undefined || !text.endsWith(closing)) return undefined
  return text.slice(opening.length, -closing.length).split(SECTION, 1)[0]?.trim()
}
