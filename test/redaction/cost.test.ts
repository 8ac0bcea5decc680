/** The time of redaction grows with the length of the text, whatever its parts resemble. */
import { expect, test } from 'vitest'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { processorTime } from '../processor-time.ts'

const redact = redactor()
const body = (length: number) => 'aB3dE6gH9kL2nP5rS8uV1xY4'.repeat(6).slice(0, length)

test('the time grows with the length of a text, also for many beginnings of a token', () => {
  const time = processorTime(() => {
    for (const part of [
      'eyJ-',
      'eyJaaaaaaaaaa..',
      'SG.-',
      'a://',
      'bearer ',
      'pwd=',
      '-----BEGIN ',
      'Private-Lines: 1 a ',
    ])
      redact(part.repeat(60_000))
  })
  expect(time).toBeLessThan(2_000)
})

test.each([
  ...['x', ' ', 'lorem ipsum ', 'api-key:', 'api-key: a', 'X-Api-Key: aaaaaaa\n', 'cookie:'],
  ...['cookie: a=', '=', 'set-cookie: ;=', 'cookie:a="', 'cookie: "a=","', 'a="', '","', 'a="\\'],
  ...['authorization:', 'authorization: a ', '?token=', '&'],
  ...['?sig=a', '70 6c ', 'cGxh\n', '%70', '\\n', '\\', '0x', ":\\'", 'token=a-', 'password: '],
  ...['\npassword: a1', '\n-password:', 'dapi', '/webhooks/1', 'bot1', 'AccountKey=', 'sk_a'],
  ...['KEY=', 'KEY=a', 'KEY=a1', 'A_', 'KEY = "', 'KEY=a.', 'KEY=/a/', '_PASS=', '_PASS=%a'],
  ...['<br>', '%u0041', '\npassword: "a1', '112, ', '"70",', '$', '`', '^'],
  ...['YWFh', 'YWFhYWFhYWFhYWFh\n', 'YWFhYWFhYWFhYWFh ', 'QUJD'],
  ...[
    '"a_password":"',
    '"password":"aaaaaa',
    'x-api-key:[',
    'x-api-key=[a1aaaaaa ',
    '"name":"X-Api-Key",',
  ],
  ...[
    '"value":"a1aaaaaaa',
    '"X-Api-Key"}',
    '\nKEY = a1',
    'KEY = ',
    'KEY="a1aaaaaa ',
    '\nA_KEY = a1a1a1a1 ',
  ],
  ...['"X-Api-Key":[]string{"', '"X-Api-Key":[]string{"a1aaaaaa", ', '"Cookie":[]string{"a="'],
  ...['cookie=[', 'cookie=[a=', 'cookie=[a="', 'cookie=[]', 'cookie=[a]a', ']', '[a='],
  ...['7 password: ', '1 ', '7: a1password: ', '\n7:password: a1', 'a/b.c:password: ', '/.'],
  ...['(1) password: ', '\n3f2a1b0c (1) password: ', 'db | password: ', '[1] password: '],
  ...['1 1 1 1 1 1 1 1 /password: ', '1'.repeat(200), `/password: ${'1'.repeat(200)} `],
  ...['2026-01-03T15:30:12Z UTC ', '1Z A_KEY = a1 ', '\n+password: "a1'],
  ...[
    'A_KEY"] = "',
    'A_KEY"] = "a1aaaaaa',
    '["KEY"',
    '_KEY: a',
    'KEY: str = ',
    'A_KEY"] = (',
    'KEY: a[',
    'a|',
  ],
  ...[
    'getenv("KEY", "',
    'getenv("KEY", "a1',
    '("KEY",',
    'KEY || ',
    'KEY || "a1',
    ' or ',
    '_KEY or',
  ],
  ...['**X-Api-Key**: `a', '*', 'api-key`: `', 'headers["X-Api-Key"] = "a', '**cookie**:'],
  ...[
    '"Cookie","value":"a=',
    '"Cookie","value":"a="',
    '"value":"a=',
    '"value":"a=\\"',
    '"cookie",',
  ],
  ...['M', 'M.aaaaaa', 'aaa8Q~', '_mmk', '-us', '.atlasv1.', 'EAA', '/catch/'],
  ...[
    '\u001B[1m',
    '\u001B[1mpassword\u001B[0m: a1b2c3d4e5\n',
    '\u001B[36mx-api-key\u001B[0m: a1\n',
  ],
  ...['password = "', 'password = "a1', 'password="must ', 'password="+a+', 'password="{a}'],
  ...[
    'password="\\"',
    `password="'a `,
    `password='a"`,
    'password="a$',
    'password="a$\\',
    'password="a""',
  ],
  ...['password = "[a(', 'password=f"{a', 'password = "ENC(a', '= a.password = ', 'password = /^a'],
  ...['" -> "', 'password = "a" -> "', 'password = a(', 'password = a1$a', '\npassword=a1&b='],
  ...['\nKEY=a1&b=', 'password      = ', 'password: str = "', 'password:      ', '\npassword: a-'],
  ...[
    '\npassword: a(',
    '"KEY=a1\\"',
    'KEY="(a',
    'KEY=ABCD-',
    'define("_PASS", "a1',
    'http_proxy=a:',
  ],
  ...['"accesstoken":"a1', 'const password = ', 'password = a->', 'password="$(a ', 'KEY = a[a].a'],
  ...[
    'KEY="`a',
    "password='a''",
    'password ||= "a',
    'KEY = a.a`',
    '"password"      :      "',
    '}}',
  ],
])('a text of 100 KB of %j is redacted in linear time', part => {
  const known = redactor(Array.from({ length: 12 }, (_, index) => `plain-word-${index}${body(20)}`))
  const text = part.repeat(1e5 / part.length)
  for (const prefix of [
    '',
    'cookie: ',
    'cookie: "a',
    'cookie=[a=',
    'api-key: ',
    'pwd=',
    'password = "',
    'plain-wo',
    '70 6c',
    'cGxh',
  ])
    expect(processorTime(() => known(prefix + text))).toBeLessThan(500)
})

test('an object with 40,000 keys that are secrets is redacted in linear time', () => {
  const keys = Array.from(
    { length: 40_000 },
    (_, index) => `AKIA${String(index).padStart(16, 'A')}`,
  )
  const value = Object.fromEntries(keys.map(key => [key, 1]))
  const redact = redactor([])
  expect(processorTime(() => redact(value))).toBeLessThan(5_000)
  expect(Object.keys(redact(value)).at(-1)).toBe('[redacted] 40000')
})

test('a text with a run too long for the patterns is masked whole', () => {
  const secret = body(20)
  expect(redact(`${'password=a'}${'a'.repeat(9_000_000)} sk-${secret}`)).not.toContain(secret)
})
