/** What the redactor removes from journals, inboxes, output and messages to models. */
import { describe, expect, test } from 'vitest'
import { redactor, useSecret } from '../src/runtime/redact.ts'

const redact = redactor()
/** Written in two parts: scanners of repositories would report the whole. */
const join = (prefix: string, rest: string) => prefix + rest
const body = (length: number) => 'aB3dE6gH9kL2nP5rS8uV1xY4'.repeat(6).slice(0, length)

describe('credentials are recognized by their format', () => {
  test.each([
    join('sk-', body(32)),
    join('sk-proj-', body(60)),
    join('sk_live_', body(24)),
    join('rk_live_', body(24)),
    join('ghp_', body(36)),
    join('github_pat_', `${body(22)}_${body(59)}`),
    join('glpat-', body(20)),
    join('hf_', body(34)),
    join('npm_', body(36)),
    join('AIza', body(35)),
    join('AKIA', 'ABCDEFGH23456789'),
    join('ASIA', 'ABCDEFGH23456789'),
    join('xoxb-', body(40)),
    join('SG.', `${body(22)}.${body(43)}`),
    join('eyJ', `${body(20)}.${body(30)}.${body(40)}`),
    join('dop_v1_', body(64)),
    join('lsv2_pt_', body(40)),
    join('123456789:AA', body(33)),
  ])('%s', secret => {
    for (const text of [secret, `a ${secret} b`, `"${secret}"`, `key=${secret}`, `x: ${secret},`]) {
      expect(redact(text)).not.toContain(secret.slice(-12))
      expect(redact(text)).toContain('[redacted]')
    }
  })

  test.each([
    [`Authorization: Basic ${btoa('user:hunter22')}`, 'Authorization: Basic [redacted]'],
    [`authorization: bearer ${body(20)}`, 'authorization: bearer [redacted]'],
    [`Bearer ${body(20)}`, 'Bearer [redacted]'],
    ['Server=db;User=sa;Password=hunter22;', 'Server=db;User=sa;Password=[redacted];'],
    ['DB_PASSWORD="hunter22"', 'DB_PASSWORD="[redacted]"'],
    ['https://x.test/?password=hunter22&y=1', 'https://x.test/?password=[redacted]&y=1'],
    ['{"password":"hunter22","user":"ada"}', '{"password":"[redacted]","user":"ada"}'],
    ['postgres://ada:hunter22@db/x', 'postgres://ada:[redacted]@db/x'],
    ['redis://:hunter22@cache', 'redis://:[redacted]@cache'],
    ['postgres://ada:hun:ter@22@db/x', 'postgres://ada:[redacted]@db/x'],
    ['api_key=abc123def456ghi', 'api_key=[redacted]'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected)
    expect(redact(redact(text))).toBe(expected)
  })

  test.each([
    'a basic understanding of authentication',
    'the bearer authentication-protocol',
    'const password = getPassword()',
    'if (password == given) return',
    'password={{ password }}',
    '{"password":"string"}',
    'max_tokens=4096, task-oriented, risk-management-procedures',
    'The password must have 8 characters.',
    'https://example.test/a?b=c',
    'token=none',
  ])('ordinary text is kept: %s', text => {
    expect(redact(text)).toBe(text)
  })
})

describe('a known secret', () => {
  const secret = 'p"ä/ss wörd+\\1&ü'
  const known = redactor([secret])

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
          expect(known(text), `${before}|${after}`).toContain('[redacted]')
        }
  })

  test('is masked without the line break of its file and without the scheme of its header', () => {
    for (const value of ['plain-word-1\n', ' plain-word-1', 'Bearer plain-word-1'])
      expect(redactor([value])('401: key plain-word-1')).toBe('401: key [redacted]')
  })

  test('is masked from the moment it is used, in redactors that already exist', () => {
    const existing = redactor()
    expect(existing('401: key plain-word-key')).toBe('401: key plain-word-key')
    useSecret('plain-word-key')
    expect(existing('401: key plain-word-key')).toBe('401: key [redacted]')
  })
})

test('the time grows with the length of a text, also for many beginnings of a token', () => {
  const started = performance.now()
  for (const part of ['eyJ-', 'SG.-', 'a://', 'bearer ', 'pwd=', '-----BEGIN '])
    redact(part.repeat(60_000))
  expect(performance.now() - started).toBeLessThan(2_000)
})
