/**
 * The published formats of credentials. Values without a format, such as a password in a sentence, cannot be recognized. Most
 * texts contain neither a long token with a known prefix nor a phrase that introduces a secret, and are not searched further.
 */
export const MASK = '[redacted]'

/** The pattern, and its replacement if only a part is secret. */
type SecretPattern = readonly [pattern: RegExp, mask?: string]

/** A text without the keyword, which ends in one of `-_./AJ13`, is not searched. */
type TokenPattern = readonly [keyword: string, ...SecretPattern]

/** Prefixes that only tokens have, and the fewest characters that follow. */
const PREFIXED: Readonly<Record<string, number>> = {
  'sk-': 16,
  'pk-': 16,
  'rk-': 16,
  'xai-': 20,
  'pplx-': 20,
  'tvly-': 16,
  gsk_: 20,
  hf_: 20,
  r8_: 20,
  sk_live_: 10,
  sk_test_: 10,
  rk_live_: 10,
  rk_test_: 10,
  whsec_: 16,
  ghp_: 20,
  gho_: 20,
  ghu_: 20,
  ghs_: 20,
  ghr_: 20,
  github_pat_: 20,
  'glpat-': 16,
  'gldt-': 16,
  'glrt-': 16,
  'glptt-': 16,
  'glcbt-': 16,
  'glsoat-': 16,
  'glft-': 16,
  'xoxa-': 10,
  'xoxb-': 10,
  'xoxe-': 10,
  'xoxp-': 10,
  'xoxr-': 10,
  'xoxs-': 10,
  'xapp-': 10,
  AIza: 30,
  'GOCSPX-': 20,
  'ya29.': 20,
  npm_: 20,
  'pypi-': 40,
  dckr_pat_: 20,
  rubygems_: 40,
  dop_v1_: 40,
  doo_v1_: 40,
  dor_v1_: 40,
  shpat_: 32,
  shpca_: 32,
  shppa_: 32,
  shpss_: 32,
  'sq0atp-': 20,
  'sq0csp-': 20,
  lin_api_: 30,
  ntn_: 40,
  figd_: 30,
  ATATT3: 40,
  glsa_: 30,
  glc_: 30,
  'hvs.': 20,
  'hvb.': 20,
  'dp.pt.': 40,
  'dp.st.': 40,
  'PMAK-': 40,
  'NRAK-': 20,
  sntrys_: 40,
  sntryu_: 40,
  sbp_: 40,
  sb_secret_: 20,
  lsv2_pt_: 30,
  lsv2_sk_: 30,
  pscale_tkn_: 30,
  pscale_pw_: 30,
  'AGE-SECRET-KEY-1': 40,
}

/** Tokens that are recognized by their beginning. */
const TOKENS: readonly TokenPattern[] = [
  ...Object.entries(PREFIXED).map(
    ([prefix, length]): TokenPattern => [
      prefix,
      new RegExp(`(?<![A-Za-z0-9])${literal(prefix)}[\\w.+/=-]{${length},}`, 'g'),
    ],
  ),
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map(
    (prefix): TokenPattern => [prefix, new RegExp(String.raw`\b${prefix}[A-Z0-9]{16}\b`, 'g')],
  ),
  ['SG.', /\bSG\.[\w-]{16,}\.[\w-]{16,}/g],
  ['eyJ', /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g],
  ['slack.com/', /(hooks\.slack\.com\/(?:services|workflows)\/)[\w/]{20,}/g, `$1${MASK}`],
]

/** No code and no placeholder. */
const PLAIN = String.raw`(?!=|(?:null|true|false|none|undefined|string|process|os|env)\b|[\w.]*[([])[^\s"'&,;<>(){}$*[\]\\]`
const NAMED =
  'pass(?:word|wd|phrase)|(?:client|aws)?_?secret(?:_?access)?_?(?:key)?|(?:access|auth|refresh)_?token|api_?key'

/** What a phrase introduces as secret. */
const PHRASES: readonly SecretPattern[] = [
  [
    /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  [/\b\d{8,10}:AA[\w-]{33}/g],
  [/\b(Bearer\s+)[\w.~+/-]{16,}=*/g, `$1${MASK}`],
  [/\b(bearer\s+)(?=[A-Za-z_.~+/-]*\d)[\w.~+/-]{16,}=*/gi, `$1${MASK}`],
  // Base64 has a digit, a capital inside or padding; a word after `basic` does not.
  [
    /\b((?:[Bb]asic|BASIC)\s+)(?=[A-Za-z]*(?:\d|[a-z][A-Z]|=))[A-Za-z0-9+/]{8,}={0,2}/g,
    `$1${MASK}`,
  ],
  [/(\w:\/\/[^\s:@/]*:)[^\s:@/]+@/g, `$1${MASK}@`],
  [
    new RegExp(String.raw`((?:password|passwd|passphrase|pwd)\s?=\s?["']?)${PLAIN}{4,}`, 'gi'),
    `$1${MASK}`,
  ],
  [
    /((?:secret|token|api[_-]?key|access[_-]?key)\s?=\s?["']?)(?=[A-Za-z_+/.-]*\d)[\w+/.-]{12,}=*/gi,
    `$1${MASK}`,
  ],
  [
    new RegExp(
      String.raw`(["'](?:${NAMED})\\{0,3}["']\s?:\s?\\{0,3}["'])(?!string)[^\s"'\\[\]]{6,}`,
      'gi',
    ),
    `$1${MASK}`,
  ],
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
    for (const [keyword, pattern, by = MASK] of TOKENS)
      if (masked.includes(keyword)) masked = masked.replace(pattern, by)
  if (!PHRASE.test(masked) && !ASSIGNED.test(masked)) return masked
  return PHRASES.reduce((rest, [pattern, by = MASK]) => rest.replace(pattern, by), masked)
}

export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
