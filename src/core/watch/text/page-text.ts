/**
 * The page of a bot wall or of an error, without the tokens and ids that its scripts and attributes have of each request.
 *
 * Intuition: a person sees "Just a moment..." each time.
 * Hard case: a page that was fetched for its links, images, forms or scripts. Rejected: the words of any page, which are equal for a game
 * whose board is drawn by attributes.
 */

const PAGE = /^\s*<(?:!doctype html|html|head|meta|title|body|!--)\b/i
/** A longer page is not one of them. */
const LONG = 32_768
const WALL =
  /access denied|just a moment|enable (?:javascript|js\b)|incapsula|captcha|unusual traffic|attention required|not the web page|page (?:could )?not (?:be )?found|request unsuccessful|request blocked|verif(?:y|ying) (?:you|that you)|are (?:you )?(?:a )?(?:human|robot)/i
const OPENS = /<(?:script|style|template)\b|<!--/gi
const CLOSES = /<\/(?:script|style|template)\s*>|-->/gi
const TAGS = /<\/?[a-z!][^<>]*>/gi
const ENTITY = /&#(\d{1,5});/g

export function pageText(text: string): string {
  if (text.length > LONG || !PAGE.test(text)) return text
  const seen = withoutScripts(text)
    .replace(TAGS, ' ')
    .replace(ENTITY, (_, code) => String.fromCharCode(Number(code)))
  return WALL.test(seen) ? seen : text
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
