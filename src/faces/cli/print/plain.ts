/** Texts of tools, models and files, shown in such a way that no terminal obeys them. */

/** On one line. */
export function plain(text: string): string {
  return withoutControls(text.replace(/\s+/g, ' '))
}

/** Lines and tabs stay; signs that reverse the direction of what follows go. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '')
}
