/** A secret after an escaped character: `\n` of JSON, `%20` of a URL and the color of a terminal do not belong to the token. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { processorTime } from '../processor-time.ts'

const redact = redactor()
const body = (length: number) => 'aB3dE6gH9kL2nP5rS8uV1xY4'.repeat(6).slice(0, length)
/** Characters at the end of a token. One of them in the output is a leak. */
const END = 'Qz7Wv5Tx9'

const PREFIXES = [
  ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxr-'],
  ...['xoxs-', 'xapp-', 'sk-', 'sk-proj-', 'pk-', 'rk-', 'tvly-', 'whsec_', 'glpat-', 'gldt-'],
  ...['glrt-', 'glptt-', 'glcbt-', 'glsoat-', 'glft-', 'xai-', 'pplx-', 'gsk_', 'hf_', 'r8_'],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'GOCSPX-', 'ya29.', 'npm_'],
  ...['dckr_pat_', 'sq0atp-', 'sq0csp-', 'hvs.', 'hvb.', 'NRAK-', 'sb_secret_', 'AIza', 'lin_api_'],
  ...['figd_', 'glsa_', 'glc_', 'lsv2_pt_', 'lsv2_sk_', 'pscale_tkn_', 'pscale_pw_', 'shpat_'],
  ...['shpca_', 'shppa_', 'shpss_', 'pypi-', 'rubygems_', 'dop_v1_', 'doo_v1_', 'dor_v1_', 'ntn_'],
  ...[
    'csk-',
    'pcsk_',
    'nvapi-',
    'ATCTT3',
    'dckr_oat_',
    'tskey-',
    'ATATT3',
    'dp.pt.',
    'dp.st.',
    'PMAK-',
    'sntrys_',
    'sntryu_',
    'sbp_',
    'AGE-SECRET-KEY-1',
  ],
]
const SECRETS = [
  ...PREFIXES.map(prefix => prefix + body(50) + END),
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map(prefix => `${prefix}ABCDEFGHQZ7WV5TX`),
  `SG.${body(22)}.${body(34)}${END}`,
  `eyJ${body(20)}.${body(30)}.${body(31)}${END}`,
  `123456789:AA${body(24)}${END}`,
  `Bearer ${body(20)}${END}`,
  `bearer ${body(20)}${END}`,
  `Basic ${body(20)}${END}`,
  `password=${body(8)}${END}`,
  `api_key=${body(8)}${END}`,
  `{"client_secret":"${body(8)}${END}"}`,
  `X-Api-Key: ${body(8)}${END}`,
  `Cookie: sid=${body(8)}${END}`,
  `https://ada:${body(8)}${END}@x.test`,
  `https://x.test/?sig=${body(8)}${END}`,
  `hooks.slack.com/services/${body(24)}${END}`,
]
const URL_SAFE = SECRETS.filter(secret => !/["{/=]|Key: /.test(secret))

const hasLeak = (text: string) => text.includes(END) || text.includes('QZ7WV5TX')

/** Texts that hold a secret after an escaped character. */
const WRAPPED: Readonly<Record<string, (secret: string) => string>> = {
  'a line break': secret => `key:\n${secret}\n`,
  'a tab': secret => `key\t${secret}`,
  'a line break of Windows': secret => `[default]\r\n${secret}\r\n`,
  'a backspace and a form feed': secret => `\b${secret}\f${secret}`,
  'a control character': secret => `\u0001${secret}\u001b`,
  'a color': secret => `\u001b[32m${secret}\u001b[0m`,
  'the end of a color': secret => `\u001b[1;38;5;196mkey\u001b[m${secret}`,
  'a match of grep': secret => `\u001b[01;31m\u001b[K${secret}\u001b[m\u001b[K`,
  'the end of all styles': secret => `\u001b(B${secret}`,
  'a letter with an accent': secret => `clé${secret}`,
}
/** The same in other languages than JSON. */
const SPELLED: Readonly<Record<string, (secret: string) => string>> = {
  'bytes of Python': secret => String.raw`b'key\n${secret}\n'`,
  'a quotation mark of JSON in Go': secret => String.raw`\u0022${secret}\u0022`,
  'hexadecimal in upper case': secret => String.raw`\u003D${secret}\u003C`,
  'bytes of C': secret => String.raw`\x0a${secret}\x0A`,
  'octal bytes of a shell': secret => String.raw`\012${secret}\033[0m`,
  'a long character of Python': secret => String.raw`\U0000000a${secret}`,
  'a bell of C': secret => String.raw`\a${secret}`,
  'a key symbol of Python': secret => String.raw`\U0001f511${secret}`,
  'a color in one byte': secret => String.raw`\x9b31m${secret}`,
  'a color of a shell': secret => String.raw`\e[32m${secret}\e[0m`,
  'a color without its first character': secret => `[32m${secret}`,
  'quoted-printable': secret => `key=3D${secret}=0A`,
  'the controls of cat -v': secret => `^I${secret}^M`,
  'an underscore': secret => `MY_${secret}`,
}

describe('a secret is masked after', () => {
  test.each(Object.entries(WRAPPED))('%s, also in JSON within JSON', (_, wrap) => {
    for (const secret of SECRETS) {
      const clear = wrap(secret)
      const json = JSON.stringify({ clear })
      for (const text of [clear, json, JSON.stringify({ json })])
        expect(hasLeak(redact(text)), text).toBe(false)
    }
  })

  test.each(Object.entries(SPELLED))('%s, also in JSON within JSON', (_, wrap) => {
    for (const secret of SECRETS) {
      const clear = wrap(secret)
      const json = JSON.stringify({ clear })
      for (const text of [clear, json, JSON.stringify({ json })])
        expect(hasLeak(redact(text)), text).toBe(false)
    }
  })

  test.each([' ', '=', ':', '\n', '"', '/', 'é'])('%j in a URL, also within a URL', before => {
    for (const secret of URL_SAFE) {
      const once = `https://x.test/?q=${encodeURIComponent(`key${before}${secret}`)}`
      const twice = `https://x.test/?next=${encodeURIComponent(once)}`
      for (const text of [once, twice, once.toLowerCase(), JSON.stringify({ once })])
        expect(hasLeak(redact(text)), text).toBe(false)
    }
  })
})

test.each([
  'task-oriented-management-procedures and disk-encryption-at-rest-2026',
  String.raw`C:\disk-images-of-the-machines\risk-management-procedures\task-force-members`,
  '100%task-oriented-management-procedures, 20%disk-utilization-on-average',
  '(ask-your-administrator-for-help) [ask-your-administrator-for-help] [msk-cluster-production-1]',
  String.raw`\u0022task-oriented-management-procedures\u0022`,
  'x=disk-utilization-on-average, =risk-management-procedures',
  'HTTPBearer AuthorizationCredentials, forbearer Aaaaaaaaaaaaaaaa1',
  'graphs_of_monkeyJumping.somewhereElse.anotherPlace',
])('ordinary text is kept: %s', text => {
  expect(redact(text)).toBe(text)
})

test.each(['eyJ-', 'eyJ_', '_eyJ', '%20eyJ', '\\neyJ', 'eyJa.', '[32m', '[1;', '\\u0022', '%25'])(
  'a text of 1 MB of %j is redacted in linear time',
  part => {
    const text = part.repeat(1e6 / part.length)
    const started = performance.now()
    for (const prefix of ['', 'Bearer ', 'AIza', 'sk-', '123456789:AA', 'AKIA'])
      redact(text + prefix)
    expect(performance.now() - started).toBeLessThan(10_000)
  },
)

describe('a known secret that was escaped in more than one way', () => {
  const known = 'p4ss "w0rd" <of> the&db/9'
  const redactKnown = redactor([known])
  const json = (text: string) => JSON.stringify(text).slice(1, -1)
  const html = (text: string) =>
    text.replace(/[&"<>]/g, sign => ({ '&': '&amp;', '"': '&quot;', '<': '&lt;' })[sign] ?? '&gt;')
  const bytes = (text: string) =>
    text.replace(/./gs, sign => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
  const points = (text: string) => text.replace(/./gs, sign => `&#${sign.charCodeAt(0)};`)
  const units = (text: string) =>
    text.replace(/./gs, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const ways = { json, html, bytes, points, units, url: encodeURIComponent }
  const pairs = Object.entries(ways).flatMap(([a, first]) =>
    Object.entries(ways).map(([b, second]) => [a, b, first, second] as const),
  )

  test.each(pairs)('%s, then %s', (_, __, first, second) => {
    const text = second(`a ${first(known)} b`)
    expect(redactKnown(text)).toBe(second('a # b').replace(second('#'), '[redacted]'))
    expect(redactKnown(json(text))).not.toContain('w0rd')
  })

  test('as lines of hexadecimal digits of odd width', () => {
    const digits = Buffer.from(known).toString('hex')
    for (const width of [7, 15, 33]) {
      const lines = digits.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
      expect(redactKnown(`dump: ${lines} end`)).toBe('dump: [redacted] end')
      expect(redactKnown(json(`dump: ${lines} end`))).toBe('dump: [redacted] end')
    }
  })
})

describe('a whole credential that was escaped', () => {
  const json = (text: string) => JSON.stringify(text).slice(1, -1)
  const html = (text: string) => text.replace(/["'&<>:/=@]/g, sign => `&#${sign.charCodeAt(0)};`)
  const hex = (text: string) =>
    text.replace(/[":/=@]/g, sign => `&#x${sign.charCodeAt(0).toString(16)};`)
  const unicode = (text: string) =>
    text.replace(/["':/=@]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`)
  const ways: Readonly<Record<string, (text: string) => string>> = {
    'for a URL': encodeURIComponent,
    'for a URL, three times': text =>
      encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
    'for JSON': json,
    'for JSON, twice': text => json(json(text)),
    'for HTML': html,
    'for HTML, with hexadecimal digits': hex,
    'for source code': unicode,
  }
  const whole = [
    `postgres://ada:${body(8)}${END}@db/x`,
    `a&password=${body(8)}${END}&b=1`,
    `{"client_secret":"${body(8)}${END}"}`,
    `Authorization: Token ${body(8)}${END}`,
    `"password": "${body(8)}${END}"`,
    `?access_token=${body(8)}${END}`,
    `Cookie: sid=${body(8)}${END}; path=/`,
  ]
  test.each(Object.entries(ways))('%s is masked', (_, escape) => {
    const leaks = whole.map(text => redact(escape(text))).filter(hasLeak)
    expect(leaks).toEqual([])
  })

  test.each(Object.entries(ways))('%s: the rest of the text is kept', (_, escape) => {
    const text = 'Read "the token" at https://x.test/a?page=2: no password = null, next_token=12'
    expect(redact(escape(text))).toBe(escape(text))
    expect(redact(escape(`${text} password=${body(8)}`))).toContain(escape(text))
  })

  test.each(Object.entries(ways))(
    '%s is masked beyond its first escaped character',
    (_, escape) => {
      for (const token of [`xoxb-${body(20)}`, `Bearer ${body(20)}`, `password=${body(20)}`])
        for (const sign of ['/', '+', '/+']) {
          const text = redact(escape(`a ${token}${sign}${body(8)}${END} b`))
          expect(hasLeak(text), text).toBe(false)
        }
    },
  )

  test('is found in linear time', () => {
    const units = ['%20', '\\', '&amp;', '%25', 'pwd%3D', '%3A%2F%2Fa%3A', '\\"password\\":']
    for (const unit of units) {
      const short = processorTime(() => redact(`${unit.repeat(20_000)}password=%20`))
      expect(processorTime(() => redact(`${unit.repeat(80_000)}password=%20`))).toBeLessThan(
        12 * short + 100,
      )
    }
  })
})
