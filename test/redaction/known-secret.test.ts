/** A known secret is masked in the encodings of programs. */
import { describe, expect, test } from 'vitest'
import { useSecret } from '../../src/runtime/redaction/process-secrets.ts'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { processorTime } from '../processor-time.ts'

const body = (length: number) => 'aB3dE6gH9kL2nP5rS8uV1xY4'.repeat(6).slice(0, length)

describe('a known secret', () => {
  const secret = 'p"ä/ss wörd+\\1&ü'
  const known = redactor([secret])
  const bytesOf = (text: string) => Buffer.from(text).toString('hex').match(/../g) ?? []
  const mixedCase = (text: string, part = /.../g) =>
    text.replaceAll(part, (each, at) => (at % 2 ? each.toLowerCase() : each.toUpperCase()))

  test.each([
    ['in clear', secret],
    ['in JSON', JSON.stringify({ secret })],
    ['in JSON within JSON', JSON.stringify({ body: JSON.stringify({ secret }) })],
    ['in a URL', `https://x.test/?q=${encodeURIComponent(secret)}`],
    ['in a URL in lower case', encodeURIComponent(secret).replaceAll(/%../g, c => c.toLowerCase())],
    ['in a form', new URLSearchParams({ secret }).toString()],
    ['in JSON of PHP', JSON.stringify({ secret }).replaceAll('/', String.raw`\/`)],
    ['in JSON of Go', JSON.stringify({ secret }).replaceAll('&', String.raw`\u0026`)],
    ['in JSON of Python', JSON.stringify({ secret }).replaceAll('ö', String.raw`\u00F6`)],
    ['in a URL that keeps slashes', encodeURIComponent(secret).replaceAll('%2F', '/')],
    ['in a URL within a URL', encodeURIComponent(encodeURIComponent(secret))],
    ['in HTML', secret.replace('"', '&quot;').replaceAll('&ü', '&amp;ü')],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['in hexadecimal of mixed case', mixedCase(Buffer.from(secret).toString('hex'))],
    ['in hexadecimal with colons', bytesOf(secret).join(':')],
    ['in hexadecimal with spaces in upper case', bytesOf(secret).join(' ').toUpperCase()],
    ['in hexadecimal with line breaks', bytesOf(secret).join('\n')],
    ['in hexadecimal of C', bytesOf(secret).join(String.raw`\x`)],
    ['in hexadecimal of JavaScript', bytesOf(secret).join(', 0x')],
    ['in a URL that escapes each byte', `%${bytesOf(secret).join('%')}`],
    ['in a URL in mixed case', mixedCase(encodeURIComponent(secret), /%../g)],
  ])('is masked %s', (_, text) => {
    expect(known(text)).toContain('[redacted]')
    expect(known(text)).not.toContain(Buffer.from(secret).toString('hex').slice(4, 12))
    expect(known(text)).not.toMatch(/w(ö|%c3%b6)rd/i)
  })

  test('is masked in base64, wherever it stands', () => {
    for (const before of ['', 'a', 'ab', 'user:'])
      for (const after of ['', 'z', 'zz'])
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = Buffer.from(before + secret + after).toString(encoding)
          for (const broken of [
            text,
            text.match(/.{1,7}/g)?.join('\r\n'),
            JSON.stringify(text.match(/.{1,7}/g)?.join('\n')),
            encodeURIComponent(text),
          ])
            expect(known(broken ?? ''), `${before}|${after}|${broken}`).toContain('[redacted]')
        }
  })

  test('is masked in base64 within base64, wherever it stands', () => {
    const base64 = (text: string, url = false) =>
      Buffer.from(text).toString(url ? 'base64url' : 'base64')
    for (const before of ['', 'a', 'bob:'])
      for (const outer of ['', 'k', 'ke', '{"auths":{"r.test":{"auth":"'])
        for (const url of [false, true]) {
          const text = base64(`${outer}${base64(before + secret, url)}"}`, url)
          const kept = base64(outer, url).replace(/..?=*$/, '')
          expect(known(`a: ${text}, b`).slice(3)).toMatch(/^[\w-]*\[redacted\][\w=]{0,12}, b$/)
          expect(known(`a: ${text}, b`).slice(3).startsWith(kept)).toBe(true)
          expect(known(JSON.stringify(text.match(/.{1,60}/g)?.join('\n')))).toContain('[redacted]')
        }
  })

  test('is masked in base64 up to the ends that it shares with other bytes', () => {
    const text =
      Buffer.from('plain-word-key')
        .toString('base64')
        .match(/.{1,6}/g)
        ?.join('\n') ?? ''
    expect(redactor(['plain-word-key'])(`a ${text} b`)).toMatch(/^a \[redacted\]\s*.?=* b$/)
  })

  test('of many thousand characters is masked in every encoding, and so is most of an excerpt', () => {
    const lines = Array.from({ length: 400 }, (_, index) => `${body(40)}/${index}`)
    const long = lines.join('\n')
    const masked = redactor([long, 'plain-word-key'])
    for (const text of [
      long,
      JSON.stringify(long),
      encodeURIComponent(long),
      Buffer.from(long).toString('hex'),
      Buffer.from(long).toString('base64'),
      lines.slice(100, 120).join('\n'),
    ])
      expect(masked(`${text} plain-word-key`).replaceAll('[redacted]', '').length).toBeLessThan(
        text.length / 20 + 2 * 64,
      )
  })

  test('of 65 to 200 characters is masked whole in every encoding', () => {
    const random = 'q8Zr4tY6uI0pL2kJ7hG5fD3sA1-wX9cV_bN'
    for (let length = 65; length <= 200; length++) {
      const whole = Array.from({ length }, (_, index) => random[(index * index + length) % 35])
      const long = whole.join('')
      const masked = redactor([long])
      const hex = bytesOf(long)
      for (const text of [
        long,
        hex.join(''),
        hex.join(':').toUpperCase(),
        `%${hex.join('%')}`,
        JSON.stringify(JSON.stringify(long)).slice(3, -3),
      ])
        expect(masked(`a ${text}, b`).replace('%[', '['), text).toBe('a [redacted], b')
      for (const before of ['', 'a', 'ab'])
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = Buffer.from(before + long).toString(encoding)
          for (const broken of [text, text.match(/.{1,7}/g)?.join('\n')])
            expect(masked(`${broken}, b`)).toMatch(/^[\w-]{0,3}\[redacted\]\s?[\w-]?[\s=]*, b$/)
        }
    }
  })

  test('of 65 to 200 characters is masked whole next to secrets that share its parts', () => {
    const long = Array.from({ length: 130 }, (_, index) => index.toString(36)).join('')
    const parts = [long.slice(10, 90), long.slice(60, 190), long.slice(64), long.slice(0, 70)]
    for (const secrets of [
      [long, ...parts],
      [...parts, long],
    ])
      expect(redactor(secrets)(`a ${long} b`)).toBe('a [redacted] b')
  })

  test.each([String.raw`\\\\word12345`, String.raw`C:\.\.\.\.\.\.\.\.\x`, '"'.repeat(40)])(
    'with a run of escapes is masked in JSON and URLs, and is searched in linear time: %s',
    escaped => {
      const masked = redactor([escaped])
      const inner = (text: string) => JSON.stringify(text).slice(1, -1)
      for (const text of [
        escaped,
        inner(escaped),
        inner(inner(escaped)),
        inner(inner(inner(escaped))),
        encodeURIComponent(escaped),
        encodeURIComponent(encodeURIComponent(escaped)),
        escaped.replaceAll('\\', String.raw`\u005C`).replaceAll('"', String.raw`\u0022`),
      ])
        expect(masked(`a ${text} b`)).toBe('a [redacted] b')
      for (const near of [
        '\\'.repeat(20_000),
        `C:${'\\'.repeat(8)}.`.repeat(8),
        '\\"'.repeat(2_000),
      ])
        expect(processorTime(() => masked(near + '\\"'.repeat(39)))).toBeLessThan(1_000)
      expect(processorTime(() => masked(`C:${`${'\\'.repeat(8)}.`.repeat(8)}`))).toBeLessThan(1_000)
    },
  )

  test('is masked without the line break of its file and without the scheme of its header', () => {
    for (const value of ['plain-word-1\n', ' plain-word-1', 'Bearer plain-word-1'])
      expect(redactor([value])('401: key plain-word-1')).toBe('401: key [redacted]')
  })

  test('is masked whole, although another secret is its beginning', () => {
    const secrets = ['plain-word-1', 'plain-word-1-and-more']
    expect(redactor(secrets)('401: key plain-word-1-and-more')).toBe('401: key [redacted]')
  })

  test('is masked from the moment it is used, in redactors that already exist', () => {
    const existing = redactor()
    expect(existing('401: key plain-word-key')).toBe('401: key plain-word-key')
    useSecret('plain-word-key')
    expect(existing('401: key plain-word-key')).toBe('401: key [redacted]')
  })
})
