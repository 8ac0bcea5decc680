/** Passwords of settings behind what tools write before a line: line numbers, files, marks of a diff, times. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/runtime/redaction/redact.ts'

const redact = redactor()

const LINES: readonly (readonly [line: string, expected: string])[] = [
  ['password: hunter22xyz', 'password: [redacted]'],
  ['password: "hunter22xyz"', 'password: "[redacted]"'],
  ['db_password: hunter22xyz # prod', 'db_password: [redacted] # prod'],
  ['- smtpPassword: p@ss:w0rd', '- smtpPassword: [redacted]'],
  ["password: 'hunter22xyz',", "password: '[redacted]',"],
  ['SECRET_KEY = 9f8e7d6c5b4a', 'SECRET_KEY = [redacted]'],
]

/** Before the line above, the line itself, and the line below. */
const TOOLS: Readonly<Record<string, readonly [string, string, string]>> = {
  'cat -n': ['     6\t  ', '     7\t  ', '     8\t  '],
  'a numbered listing with arrows': ['     6→  ', '     7→  ', '     8→  '],
  'such a listing without indentation': ['     6→', '     7→', '     8→'],
  'a listing with bars': ['6 |   ', '7 |   ', '8 |   '],
  bat: ['   6   │ ', '   7   │ ', '   8   │ '],
  'bars without blanks': [' 6│   ', ' 7│   ', ' 8│   '],
  'leading zeros': ['006| ', '007| ', '008| '],
  'numbers with a letter': ['L6: ', 'L7: ', 'L8: '],
  'less -N': ['      6   ', '      7   ', '      8   '],
  'grep -n': ['6-  ', '7:  ', '8-  '],
  'grep -n without indentation': ['6-', '7:', '8-'],
  'grep -Hn': ['config/db.yml-6-  ', 'config/db.yml:7:  ', 'config/db.yml-8-  '],
  'grep -Hn without indentation': ['config/db.yml-6-', 'config/db.yml:7:', 'config/db.yml-8-'],
  'the context of grep': ['config/db.yml:6:  ', 'config/db.yml-7-  ', 'config/db.yml-8-  '],
  'the context of grep without indentation': ['a/db.yml:6:', 'a/db.yml-7-', 'a/db.yml-8-'],
  'grep -H': ['config/db.yml:  ', 'config/db.yml:  ', 'config/db.yml:  '],
  'grep -H without indentation': ['./db.yml:', './db.yml:', './db.yml:'],
  'git grep of a commit': ['HEAD:a/db.yml:6:', 'HEAD:a/db.yml:7:', 'HEAD:a/db.yml:8:'],
  'rg --column': ['Makefile:6:3:  ', 'Makefile:7:3:  ', 'Makefile:8:3:  '],
  'grep on Windows': ['C:\\app\\db.yml:6:  ', 'C:\\app\\db.yml:7:  ', 'C:\\app\\db.yml:8:  '],
  'a diff that adds': ['   ', '+  ', '   '],
  'a diff that removes': ['   ', '-  ', '   '],
  'a diff without indentation': [' ', '+', ' '],
  'a diff with numbers': ['12 12   ', '13    -  ', '   13 +  '],
  'a numbered diff': ['     6\t   ', '     7\t+  ', '     8\t   '],
  'a quotation': ['> ', '> ', '> '],
  'a quotation in a quotation': ['> > ', '> > ', '>> '],
  'docker compose': ['web-1  | ', 'web-1  |   ', 'web-1  | '],
  'a service with a plain name': ['db  | ', 'db  |   ', 'db  | '],
  'docker compose with times': [
    'web-1  | 2026-01-03T15:30:11Z ',
    'web-1  | 2026-01-03T15:30:12.123456789Z   ',
    'web-1  | 2026-01-03T15:30:13Z ',
  ],
  'a log': ['2026-01-03T15:30:12Z ', '2026-01-03T15:30:12Z   ', '2026-01-03T15:30:12Z '],
  'a log in UTC': ['[2026-01-03 15:30 UTC] ', '2026-01-03 15:30:12 UTC   ', '15:30:12,001 '],
  'the log files of Kubernetes': [
    '2026-01-03T15:30:11.123456789Z stdout F   ',
    '2026-01-03T15:30:12.123456789Z stderr F   ',
    '2026-01-03T15:30:13.123456789Z stdout P ',
  ],
  'kubectl --prefix': ['[pod/web-1/db] ', '[pod/web/db]   ', '[pod/web-1/db] '],
  'git blame': [
    '^3f2a1b0 (Ada Lovelace 2026-01-03 15:30:12 +0100 6)   ',
    '3f2a1b0c (Ada Lovelace 2026-01-03 15:30:12 +0100 7)   ',
    '00000000 (Not Committed Yet 2026-01-03 15:30:12 +0100 8) ',
  ],
  'git blame of a file': [
    '3f2a1b0c config/db.yml (Ada 2026-01-03 15:30:12 +0100 6) ',
    '3f2a1b0c config/db.yml (Ada 2026-01-03 15:30:12 +0100 7)   ',
    '3f2a1b0c config/db.yml (Ada 2026-01-03 15:30:12 +0100 8) ',
  ],
}

describe.each(Object.entries(TOOLS))('a password is masked behind %s', (_, [above, own, below]) => {
  test.each(LINES)('%s', (line, expected) => {
    const text = (each: string) => `${above}host: db1\n${own}${each}\n${below}port: 5432\n`
    expect(redact(text(line))).toBe(text(expected))
    expect(redact(text(line).replaceAll('\n', '\r\n'))).toBe(
      text(expected).replaceAll('\n', '\r\n'),
    )
    expect(redact(JSON.stringify({ text: text(line) }))).toBe(
      JSON.stringify({ text: text(expected) }),
    )
    expect(redact(`${own}${line}`)).toBe(`${own}${expected}`)
  })
})

test('a password is masked behind the colored file and number of grep', () => {
  const before = '\u001B[35mdb.yml\u001B[m\u001B[36m:\u001B[m\u001B[32m7\u001B[m\u001B[36m:\u001B[m'
  expect(redact(`${before}  \u001B[1mpassword\u001B[m: hunter22xyz\n`)).toBe(
    `${before}  \u001B[1mpassword\u001B[m: [redacted]\n`,
  )
})

test.each([
  '7: the password: see below\n8: the password: attempt2of3',
  'message: password: attempt2of3',
  'message:password: attempt2of3',
  'either login or user/password: attempt2of3',
  'e.g. password: attempt2of3',
  '7: wrong password: attempt2of3',
  '2026-01-03T15:30:12Z wrong password: attempt2of3',
  '2026-01-03T15:30:12Z ERROR: invalid password: attempt2of3 for ada',
  'web-1  | login failed: wrong password: attempt2of3',
  'db.yml:7: the new password: attempt2of3',
  '{"id":7,"message":"password: attempt2of3"}',
  'Step 2: password: attempt2of3',
  'Das Paßwort für Öre, пароль, 密码 password: attempt2of3',
  '     7\t  password: string\n     8\t  password: string,\n     9\t  password: password1,\n    10\t  password: userPass[2]\n',
  'src/login.ts:7:  password: required\nsrc/login.ts:8:  password: min_length_8',
  '+  password: $PASSWORD1\n-  password: <password1>\n>  password: {{password1}}',
  '7 |   password: sha256\n8 |   password: /run/secrets/db1\n9 |   password: must have 8 characters',
  '7: token: expected 12|34',
  '2026-01-03T15:30:12Z the KEY = 9f8e7d6c5b4a, A_KEY = 9f8e7d6c5b4a is old',
])('ordinary text is kept: %s', text => {
  expect(redact(text)).toBe(text)
})
