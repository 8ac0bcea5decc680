/** What a server generates for each page and response: the tokens of its forms and its cookies. */

const TOKENS =
  /\b(?:csrf|xsrf|authenticity|nonce|__viewstate|__eventvalidation)[\w-]{0,40}"\s+(?:value|content)="[^"]*"/gi
const COOKIES = /^set-cookie:.*$/gim
/** Most texts have neither. */
const MARK = /csrf|xsrf|authenticity|nonce|__viewstate|set-cookie:/i

/** The text without them. */
export const withoutPageTokens = (text: string): string =>
  MARK.test(text) ? text.replace(TOKENS, '').replace(COOKIES, '') : text
