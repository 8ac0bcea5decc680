/**
 * The text of a page of HTML as a person sees it. The scripts and attributes of a page have tokens and ids of each request, also behind a
 * bot wall.
 *
 * Hard case: a page whose text is made by its scripts. It remains as it is.
 */

const PAGE = /^\s*<(?:!doctype html|html|head|meta|title|body|!--)\b/i
/** A longer page is compared by its head and tail. */
const LONG = 262_144
const OPENS = /<(?:script|style|template)\b|<!--/gi
const CLOSES = /<\/(?:script|style|template)\s*>|-->/gi
const TAGS = /<\/?[a-z!][^<>]*>/gi
const ENTITY = /&#(\d{1,5});/g
/** Fewer words are a shell without content. */
const WORDS = /(?:[\p{L}]{2,}\P{L}+){3}/u

export function pageText(text: string): string {
  if (text.length > LONG || !PAGE.test(text)) return text
  const seen = withoutScripts(text)
    .replace(TAGS, ' ')
    .replace(ENTITY, (_, code) => String.fromCharCode(Number(code)))
  return WORDS.test(seen) ? seen : text
}

/** Not by one pattern, which would look for the end from each of many beginnings. */
function withoutScripts(text: string): string {
  let rest = ''
  let at = 0
  while (at < text.length) {
    OPENS.lastIndex = at
    const opens = OPENS.exec(text)
    if (!opens) return rest + text.slice(at)
    rest += `${text.slice(at, opens.index)} `
    CLOSES.lastIndex = opens.index
    if (!CLOSES.test(text)) return rest
    at = CLOSES.lastIndex
  }
  return rest
}
