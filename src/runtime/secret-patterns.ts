/**
 * The published formats of credentials. Values without a format, such as a password in a sentence, cannot be recognized. Most
 * texts contain neither a long token with a known prefix nor a phrase that introduces a secret, and are not searched further.
 */
export const MASK = '[redacted]'

/** A text without the keyword, which ends in one of `-_./AJ13`, is not searched. The first group of a pattern is not secret. */
type TokenPattern = readonly [keyword: string, pattern: RegExp]

/** Prefixes that only tokens have, by the fewest characters that follow. */
const PREFIXES: Readonly<Record<number, string>> = {
  10: 'sk_live_ sk_test_ rk_live_ rk_test_ xoxa- xoxb- xoxe- xoxp- xoxr- xoxs- xapp-',
  16: 'sk- pk- rk- tvly- whsec_ glpat- gldt- glrt- glptt- glcbt- glsoat- glft-',
  20: 'xai- pplx- gsk_ hf_ r8_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ GOCSPX- ya29. npm_ dckr_pat_ sq0atp- sq0csp- hvs. hvb. NRAK- sb_secret_',
  30: 'AIza lin_api_ figd_ glsa_ glc_ lsv2_pt_ lsv2_sk_ pscale_tkn_ pscale_pw_',
  32: 'shpat_ shpca_ shppa_ shpss_',
  40: 'pypi- rubygems_ dop_v1_ doo_v1_ dor_v1_ ntn_ ATATT3 dp.pt. dp.st. PMAK- sntrys_ sntryu_ sbp_ AGE-SECRET-KEY-1',
}

/** Tokens that are recognized by their beginning. */
const TOKENS: readonly TokenPattern[] = [
  ...Object.entries(PREFIXES).flatMap(([length, prefixes]) =>
    prefixes.split(' ').map((prefix): TokenPattern => {
      const token = `(?<![A-Za-z0-9])${literal(prefix)}[\\w.+/=-]{${length},}`
      return [prefix, new RegExp(token, 'g')]
    }),
  ),
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map(
    (prefix): TokenPattern => [prefix, new RegExp(String.raw`\b${prefix}[A-Z0-9]{16}\b`, 'g')],
  ),
  ['SG.', /\bSG\.[\w-]{16,}\.[\w-]{16,}/g],
  ['eyJ', /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g],
  ['slack.com/', /(hooks\.slack\.com\/(?:services|workflows)\/)[\w/]{20,}/g],
]

/** No code and no placeholder. */
const PLAIN = String.raw`(?!=|(?:null|true|false|none|undefined|string|process|os|env)\b|[\w.]*[([])[^\s"'&,;<>(){}$*[\]\\]`
const NAMED =
  'pass(?:word|wd|phrase)|(?:client|aws)?_?secret(?:_?access)?_?(?:key)?|(?:access|auth|refresh)_?token|api_?key'

/** What a phrase introduces as secret. The first group of a pattern is not secret. */
const PHRASES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\b\d{8,10}:AA[\w-]{33}/g,
  /\b(Bearer\s+)[\w.~+/-]{16,}=*/g,
  /\b(bearer\s+)(?=[A-Za-z_.~+/-]*\d)[\w.~+/-]{16,}=*/gi,
  // Base64 has a digit, a capital inside or padding; a word after `basic` does not.
  /\b((?:[Bb]asic|BASIC)\s+)(?=[A-Za-z]*(?:\d|[a-z][A-Z]|=))[A-Za-z0-9+/]{8,}={0,2}/g,
  /(\w:\/\/[^\s:@/]*:)[^\s:@/]+(?=@)/g,
  new RegExp(String.raw`((?:password|passwd|passphrase|pwd)\s?=\s?["']?)${PLAIN}{4,}`, 'gi'),
  /((?:secret|token|api[_-]?key|access[_-]?key)\s?=\s?["']?)(?=[A-Za-z_+/.-]*\d)[\w+/.-]{12,}=*/gi,
  new RegExp(
    String.raw`(["'](?:${NAMED})\\{0,3}["']\s?:\s?\\{0,3}["'])(?!string)[^\s"'\\[\]]{6,}`,
    'gi',
  ),
]

/** Whether a text may contain a token. The engine looks for the last character of a keyword, which is rare, and then back. */
const TOKEN = new RegExp(
  `[-_./AJ13](?<=${TOKENS.map(([keyword]) => literal(keyword)).join('|')})[\\w.+/=-]{8}|AIza`,
)
const PHRASE = /PRIVATE KEY|\d:AA|[Bb]earer\s|BEARER\s|[Bb]asic\s|BASIC\s|:\/\/[^\s/]*@/
const ASSIGNED = /[=:](?<=(?:word|wd|phrase|secret|token|key)(?:\s?=|\\{0,3}["']\s?:))/i

/** Masks the credentials in a text. */
export function maskCredentials(text: string): string {
  let masked = text
  if (TOKEN.test(text))
    for (const [keyword, pattern] of TOKENS)
      if (masked.includes(keyword)) masked = masked.replace(pattern, mask)
  if (!PHRASE.test(masked) && !ASSIGNED.test(masked)) return masked
  return PHRASES.reduce((rest, pattern) => rest.replace(pattern, mask), masked)
}

/** Without a group, the second argument is the offset. */
function mask(_: string, kept: string | number): string {
  return typeof kept === 'string' ? `${kept}${MASK}` : MASK
}

export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
