/** The place of a page, also of an empty one: its number is counted up, and says nothing about what is on it. */
const PLACE =
  /^(page|offset|limit|cursor|start|skip|from|per_?page|page_?(no|num|number|size|index|token)|(next|prev|previous)(_?(page|cursor|token|url|page_?token|link))?|self|links?)$/i

/** Whether a field is the place of a page. */
export const isPlaceOfPage = (name: string): boolean => PLACE.test(name)

const FAULTS =
  /"(?:errors|issues|problems|warnings|violations|findings|mistakes|differences|changes|comments)"\s*:\s*\[/i

/** Whether the place of a page counts although its lists are empty: they are what a check of the page has found. */
export const isOfCheckedPage = (json: string): boolean => FAULTS.test(json)

const PAGE = /\bpage (\d{1,9})\b/i
/** The rest of `Page 3: no orders`. "No errors" is a result. */
const NONE =
  /^\W*(?:no|nothing|none|empty|zero|0)\b(?! (?:\w+ )?(?:errors?|problems?|issues?|warnings?|changes?|differences?|violations?|mistakes?)\b)/i
/** A longer text has content beside its page. */
const SENTENCE_MAX = 60

/** `Page 3: no orders` without its page, if the call has asked for it. */
export function withoutPage(text: string, asksFor: (page: string) => boolean): string {
  if (text.length > SENTENCE_MAX) return text
  const [whole, page = ''] = PAGE.exec(text) ?? []
  if (whole === undefined || !asksFor(page)) return text
  const rest = text.replace(whole, '')
  return NONE.test(rest) ? rest : text
}
