/** The published formats of tokens: what a vendor's documents say that its tokens begin with or contain. */

/** A text without the keyword is not searched. The first group of a pattern is not secret. */
type TokenFormat = readonly [keyword: string, pattern: RegExp]

/** Prefixes that only tokens have, by the fewest characters that follow. */
const PREFIXES: Readonly<Record<number, string>> = {
  10: 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_live_ sk_org_test_ xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xwfp-',
  16: 'sk- pk- rk- tvly- whsec_ glpat- gldt- glrt- glrtr- glptt- glcbt- glsoat- glft- glffct- gloas- glimt- glagent- glwt- tskey- sm_aat_ sm_pat_ sm_sat_',
  19: 'NRJS- NRII- NRAK- GR1348941',
  20: 'xai- pplx- gsk_ hf_ r8_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ GOCSPX- ya29. npm_ dckr_pat_ dckr_oat_ csk- nvapi- CCIPAT_ pat-na1- pat-eu1- sq0atp- sq0csp- hvs. hvb. hvr. sb_secret_ dt0c01. tfp_ ek_live_ ek_test_',
  30: 'AIza nfp_ squ_ sqp_ sqa_ lin_oauth_ access-sandbox- access-development- access-production- lin_api_ figd_ glsa_ glc_ lsv2_pt_ lsv2_sk_ pscale_tkn_ pscale_pw_ pscale_oauth_ api_org_ FLWSECK- FLWSECK_TEST- s-s4t2ud- s-s4t2af- pnu_',
  32: 'shpat_ shpca_ shppa_ shpss_ p8e- ico- HRKU-',
  40: 'pypi- xkeysib- xsmtpsib- fm1a_ fm1r_ fm2_ fo1_ rubygems_ dop_v1_ doo_v1_ dor_v1_ ntn_ pcsk_ ATATT3 ATCTT3 dp.pt. dp.st. dp.ct. dp.sa. PMAK- sntrys_ sntryu_ sbp_ AGE-SECRET-KEY-1 duffel_test_ duffel_live_ shippo_test_ shippo_live_ fio-u- pul- rdme_ sgp_ tk-us- CLOJARS_',
}

/** Tokens of one alphabet and length, which end where the word ends. */
const EXACT: Readonly<Record<string, string>> = {
  AKIA: '[A-Z0-9]{16}',
  ASIA: '[A-Z0-9]{16}',
  ABIA: '[A-Z0-9]{16}',
  ACCA: '[A-Z0-9]{16}',
  dapi: String.raw`[\da-f]{32}(?:-\d)?`,
  sk_: String.raw`[\da-f]{48}`,
  'key-': String.raw`[\da-f]{32}`,
  'API-': '[A-Z0-9]{26}',
  LTAI: '[A-Za-z0-9]{20}',
  AKCp: '[A-Za-z0-9]{69}',
  cmVmd: '[A-Za-z0-9]{59}',
  EZAK: '[A-Za-z0-9]{54}',
  EZTK: '[A-Za-z0-9]{54}',
  EAAA: String.raw`[\w-]{56,60}`,
  EAA: '[A-Za-z0-9]{100,}',
  AQVN: String.raw`[\w-]{35,38}`,
  // Session tokens of AWS.
  IQoJb3JpZ2lu: '[A-Za-z0-9+/]{80,}={0,2}',
  FwoGZXIvYXdz: '[A-Za-z0-9+/]{80,}={0,2}',
  FQoGZXIvYXdz: '[A-Za-z0-9+/]{80,}={0,2}',
  'sha256~': String.raw`[\w-]{43}`,
  ABSK: '[A-Za-z0-9+/]{100,}={0,2}',
  'bedrock-api-key-': '[A-Za-z0-9+/]{60,}={0,2}',
  'AQ.': String.raw`(?=[A-Za-z_-]*\d)[\w-]{45,60}`,
  '1//': String.raw`0[\w-]{40,}`,
  'sess-': String.raw`(?=[a-z\d]*[A-Z])(?=[A-Za-z]*\d)[A-Za-z0-9]{40}`,
  ek_: String.raw`[\da-f]{32}`,
  'v1.': String.raw`[\da-f]{40}`,
  'v1.0-': String.raw`[\da-f]{24}-[\da-f]{146}`,
}

/** The end of an escaped or hidden character, which does not belong to the word after it: of JSON, source code, URLs, quoted-printable, `cat -v`, and the color of a terminal. */
const ESCAPED = [
  String.raw`\\[abefnrtv]`,
  String.raw`\\[0-7]{1,3}`,
  String.raw`\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8})`,
  String.raw`%(?:25){0,3}[\dA-Fa-f]{2}`,
  '=[0-9A-F]{2}',
  String.raw`\^[IM]`,
  String.raw`(?:(?:\x1b|1[bB]|\\033|\\[eE])[[(]|\x9b|9[bB]|\\233|\[(?=\d))[\d;:]{0,20}[A-Za-z]`,
].join('|')
/** Where a word begins. */
export const START = `(?<![A-Za-z0-9](?<!${ESCAPED}))`

const END = '(?![A-Za-z0-9])'

const FORMATS: readonly TokenFormat[] = [
  ...Object.entries(PREFIXES).flatMap(([length, prefixes]) =>
    prefixes.split(' ').map((prefix): TokenFormat => {
      const token = `${START}${literal(prefix)}[\\w.+/=-]{${length},}`
      return [prefix, new RegExp(token, 'g')]
    }),
  ),
  ...Object.entries(EXACT).map(
    ([prefix, rest]): TokenFormat => [
      prefix,
      new RegExp(`${START}${literal(prefix)}${rest}${END}`, 'g'),
    ],
  ),
  ['SG.', new RegExp(String.raw`${START}SG\.[\w-]{16,}\.[\w-]{16,}`, 'g')],
  // Each search ends where the next one would begin: the time stays linear. An encrypted token has five parts, of which the second may
  // be empty, and so may be the second of a detached signature.
  [
    'eyJ',
    new RegExp(
      String.raw`${START}eyJ(?:(?![-_]eyJ)[\w-]){10,}\.(?:[\w-]{10,})?\.[\w-]{10,}(?:\.[\w-]{10,}){0,2}`,
      'g',
    ),
  ],
  ['Q~', new RegExp(String.raw`${START}[\w.~]{3}\dQ~[\w.~-]{31,34}${END}`, 'g')],
  ['_mmk', new RegExp(`${START}[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk${END}`, 'g')],
  ['.atlasv1.', new RegExp(String.raw`${START}[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}`, 'g')],
  ['slack.com/', /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/]{20,}/g],
  ['/webhooks/', /(discord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/\d{15,22}\/)[\w-]{60,}/g],
  ['/webhookb2/', /(webhook\.office\.com\/webhookb2\/)[\w@/-]{40,}/gi],
  ['/catch/', /(hooks\.zapier\.com\/hooks\/catch\/)[\w/]{8,}/g],
]

/** What identifies a format, for documents. */
export const KEYWORDS: readonly string[] = FORMATS.map(([keyword]) => keyword)

/** Whether a text may contain a token. */
const TOKEN = mayContain(KEYWORDS)

/** The engine looks for the last character of a keyword, if it is rare, and then back. */
function mayContain(keywords: readonly string[]): RegExp {
  const byEnd = Map.groupBy(keywords, keyword => /[-_./AJ13]$/.exec(keyword)?.[0] ?? '')
  const patterns = [...byEnd].map(([end, all]) => {
    const starts = all.map(keyword => literal(keyword.slice(0, keyword.length - end.length)))
    const any = `(?:${starts.join('|')})`
    return end === '' ? any : `${literal(end)}(?<=${any}.)[\\w.+/=-]{8}`
  })
  return new RegExp(patterns.join('|'))
}

/** The formats whose tokens a text may contain. */
export function formatsIn(text: string): readonly RegExp[] {
  if (!TOKEN.test(text)) return []
  return FORMATS.filter(([keyword]) => text.includes(keyword)).map(([, pattern]) => pattern)
}

/** A text as a part of a pattern. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
