/** Quotation marks, backslashes, backticks and carets side by side in a known secret. An encoder escapes only some of them. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { processorTime } from '../processor-time.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const hexOf = (text: string) => Buffer.from(text).toString('hex')
const html = (text: string) =>
  text.replace(/["&'<>]/g, sign => `&${{ '"': 'quot', '&': 'amp', "'": '#39' }[sign] ?? 'lt'};`)
const points = (text: string) => text.replace(/./gs, sign => `&#${sign.charCodeAt(0)};`)
const json = (text: string) => JSON.stringify(text).slice(1, -1)

const ENCODERS: Readonly<Record<string, (secret: string) => string>> = {
  'a URL': encodeURIComponent,
  HTML: html,
  'JSON in HTML': secret => html(json(secret)),
  'a URL in base64': secret => base64(`postgres://ada:${encodeURIComponent(secret)}@db/x`),
  'HTML in base64': secret => base64(`<p>Password: ${html(secret)}</p>`),
  'JSON in HTML in base64': secret => base64(html(JSON.stringify({ user: 'ada', secret }))),
  'a URL in hexadecimal': secret => hexOf(`postgres://ada:${encodeURIComponent(secret)}@db/x`),
  'escaped letters in base64': secret => base64(`ada:${points(secret)}`),
  'escaped letters in hexadecimal': secret => hexOf(`ada:${points(secret)}`),
}

const MARKS = [...'"\'\\`^']
const pairs = MARKS.flatMap(first => MARKS.map(second => `pW7${first}${second}kLm92xQz`))
const escaped = [
  'pW7%20"kLm92xQz',
  "pW7%fak^'Lm92xQz",
  `pW7%22^"kLm92xQz`,
  'pW7&quot;`"kLm92xQz',
  String.raw`pW7\u0022^'kLm92xQz`,
  'q%704E7566/<$[>dE*="(ebz',
]

describe('a known secret is masked in', () => {
  test.each(Object.entries(ENCODERS))('%s', (_, encode) => {
    const leaks = [...pairs, ...escaped, `a^"'\\"-'"^x9-"\\\\'z`].filter(secret => {
      const text = encode(secret)
      return !redactor([secret])(text).includes('[redacted]')
    })
    expect(leaks).toEqual([])
  })

  test('bytes beyond ASCII, if it looks escaped itself', () => {
    const secret = 'pW7%20é^kLm92xQz'
    const text = `a ${secret.replace('é', String.raw`\xc3\xa9`)} b`
    expect(redactor([secret])(text)).toBe('a [redacted] b')
  })
})

test('the text around base64 is kept', () => {
  const secret = `pW7"'kLm92xQz`
  const text = `a ${base64(`some words before ${encodeURIComponent(secret)} and some after`)} b`
  const [before, after] = redactor([secret])(text).split('[redacted]')
  expect(text.startsWith(before as string) && text.endsWith(after as string)).toBe(true)
  expect(before?.length).toBeGreaterThan(20)
  expect(after?.length).toBeGreaterThan(15)
})

describe('near matches are searched in linear time:', () => {
  const units = ['"-', `'"-`, '^"&', '%"', '\\u0022', '"%22', '"&quot;', '`^', `"'u`, '\\"-', '&"']
  const codes = [
    '&quot;',
    '%22',
    '%2522',
    '\\u0022',
    '&#39;',
    '\\\\\\"',
    '&amp;quot;',
    '"',
    '\\',
    '^',
  ]
  test.each(units)('%j', unit => {
    const masked = redactor([`${unit.repeat(60 / unit.length)}Z9`])
    masked('the first search compiles the patterns')
    const near = [html(unit), encodeURIComponent(unit), json(unit), ...codes]
    for (const text of near) {
      expect(
        processorTime(() => masked(`${text.repeat(Math.ceil(300 / text.length))}x`.repeat(60))),
        text,
      ).toBeLessThan(2_000)
    }
  })
})
