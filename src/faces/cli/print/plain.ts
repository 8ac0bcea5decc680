/** Texts of tools, models and files, shown in such a way that no terminal obeys them. */

/** On one line. */
export function plain(text: string): string {
  return withoutControls(text.replace(/\s+/g, ' '))
}

/** Lines and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '')
}
