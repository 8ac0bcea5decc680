/** A known secret as programs quote it, write its bytes, and write characters beyond ASCII. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { processorTime } from '../processor-time.ts'

const json = (text: string) => JSON.stringify(text).slice(1, -1)
const bytesOf = (text: string) => [...Buffer.from(text)]
const hexOf = (text: string) => Buffer.from(text).toString('hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const pairsOf = (text: string) => hexOf(text).match(/../g) ?? []

describe('a quotation mark inside of a known secret', () => {
  const single = "it's-s3cret-90210"
  const double = 'say"hi"-s3cret-4711'
  const both = `a'"b''c"\\'d-s3cret`
  const quoted: Readonly<Record<string, (secret: string) => string>> = {
    'a shell that traces its commands': secret => `'${secret.replaceAll("'", String.raw`'\''`)}'`,
    'export -p and shlex': secret => `'${secret.replaceAll("'", `'"'"'`)}'`,
    'dash, which groups the marks': secret =>
      `'${secret.replaceAll(/'+/g, marks => `'"${marks}"'`)}'`,
    'SQL, YAML and PowerShell': secret => `'${secret.replaceAll("'", "''")}'`,
    'CSV and ADO': secret => `"${secret.replaceAll('"', '""')}"`,
    'double quotes in a shell': secret => `"${secret.replaceAll('"', String.raw`"\""`)}"`,
    'double quotes in PowerShell': secret => `"${secret.replaceAll('"', '`"')}"`,
    'single quotes in SQL with backticks around': secret => `\`'${secret.replaceAll("'", "''")}'\``,
    'printf %q': secret => secret.replaceAll(/\W/g, String.raw`\$&`),
  }

  test.each(Object.entries(quoted))('is recognized as %s writes it', (_, quote) => {
    for (const secret of [single, double, both]) {
      const masked = redactor([secret])
      const text = `x ${quote(secret)} y`
      const expected = `x ${quote('word').replace('word', '[redacted]')} y`
      expect(masked(text)).toBe(expected)
      for (const escaped of [json(text), json(json(text)), encodeURIComponent(text)])
        expect(masked(escaped), escaped).not.toMatch(/s3cret/)
    }
  })

  test.each([
    ['backticks of PowerShell', (sign: string) => `\`${sign}`],
    ['carets of cmd', (sign: string) => `^${sign}`],
  ])('and other signs are recognized with %s', (_, escape) => {
    const secret = `x^7&k<y>|z$q!"w'\`n^^\\`
    const escaped = secret.replaceAll(/[^\w]/g, escape)
    expect(redactor([secret])(`a ${escaped} b`)).toBe('a [redacted] b')
    expect(redactor([secret])(JSON.stringify({ escaped }))).toBe('{"escaped":"[redacted]"}')
  })

  test('does not take a backtick before the secret', () => {
    expect(redactor(['$2b-plain-word'])('see `$2b-plain-word`')).toBe('see `[redacted]`')
  })

  test('does not take the quotation marks around the secret', () => {
    for (const secret of [single, double, both]) {
      const value = { a: secret, b: [secret] }
      expect(redactor([secret])(JSON.stringify(value))).toBe(
        '{"a":"[redacted]","b":["[redacted]"]}',
      )
    }
    for (const secret of [`"'ab-s3cret`, `ab-s3cret'"`, `''ab-s3cret""`])
      expect(redactor([secret])(JSON.stringify([secret]))).toBe('["[redacted]"]')
  })

  test('at both ends of the secret may be left out', () => {
    expect(redactor(['"plain-word"'])('key plain-word, ok')).toBe('key [redacted], ok')
    for (const text of [`'''"ab-s3cret'`, `"'""ab-s3cret"`])
      expect(redactor([`'"ab-s3cret`])(text)).not.toContain('s3cret')
  })

  test('is searched in linear time', () => {
    const secret = `${`a'"`.repeat(30)}b${'"'.repeat(30)}c`
    const signs = redactor(['^`\\'.repeat(15), '^a`'.repeat(15), `a'^`.repeat(15)])
    for (const text of ['^', '`', '^`\\', '^a`', `a'^`, `a'^\`\\`]) {
      expect(
        processorTime(() => signs(`${text.repeat(Math.floor(40 / text.length))}x`.repeat(1_000))),
      ).toBeLessThan(2_000)
    }
    const near = [`${`a'"`.repeat(29)}x`, `a${`'"`.repeat(15)}`, `b${'"'.repeat(400)}`, `'"`]
    for (const text of near) {
      expect(
        processorTime(() => redactor([secret])(text.repeat(100_000 / text.length))),
      ).toBeLessThan(2_000)
    }
  })
})

describe('a sign that formats double', () => {
  test.each([
    ['the dollar of docker compose', 'pa$w0rd$$9x', 'pa$$w0rd$$$$9x'],
    ['the percent sign of an INI file', 'pa%w0rd%9x', 'pa%%w0rd%%9x'],
    ['the brace of ODBC', 'pa}w{0rd9x', 'pa}}w{{0rd9x'],
  ])('%s', (_, secret, text) => {
    expect(redactor([secret])(`a ${text} b ${secret} c`)).toBe('a [redacted] b [redacted] c')
    expect(redactor([secret])(JSON.stringify({ secret }))).toBe('{"secret":"[redacted]"}')
  })

  test.each([
    ['$$ecretWord99', '`$`$ecretWord99', '`[redacted]'],
    ['%%zebra44Kite', '^%^%zebra44Kite', '^[redacted]'],
    ['Xy7^$$kl29qLm', 'Xy7^`$`$kl29qLm', '[redacted]'],
    ['mid$$ecretWord77', 'mid`$`$ecretWord77', '[redacted]'],
    ['$$$ecretWord99', '`$`$`$ecretWord99', '`[redacted]'],
  ])('repeated at the beginning, escaped by PowerShell or cmd: %s', (secret, text, expected) => {
    expect(redactor([secret])(`a "${text}" b ${secret}`)).toBe(`a "${expected}" b [redacted]`)
  })

  test('many of them are searched in linear time', () => {
    const masked = redactor([`${'$'.repeat(30)}a${'%{'.repeat(20)}b`])
    const marks = redactor([
      'x$$^$$'.repeat(20),
      '$$^'.repeat(25),
      '$^'.repeat(40),
      `%%'$$"`.repeat(15),
    ])
    const search = () => {
      for (const text of ['$'.repeat(60), '`$'.repeat(60), `${'$'.repeat(40)}a${'%{'.repeat(19)}`])
        masked(text.repeat(100_000 / text.length))
      for (const text of ['x$$^$^$$', '$$^$^', '$^$^$$^', '`$`$^$', `%^%'$^$"`, '$'])
        marks(`${text.repeat(40)}y`.repeat(300))
    }
    expect(processorTime(search)).toBeLessThan(2_000)
  })
})

describe('a known secret as bytes in decimal numbers', () => {
  const secret = 'plain-Value-90210-abcdef'
  const masked = redactor([secret, 'pässwörd-9876'])
  const bytes = bytesOf(secret)

  test.each([
    ['of Python', `[${bytes.join(', ')}]`, '[[redacted]]'],
    ['of Go', `[${bytes.join(' ')}]`, '[[redacted]]'],
    [
      'in JSON of a buffer',
      JSON.stringify(Buffer.from(secret)),
      '{"type":"Buffer","data":[[redacted]]}',
    ],
    ['among other bytes', `[1, 255, ${bytes.join(', ')}, 10]`, '[1, 255, [redacted], 10]'],
    ['in YAML', bytes.map(byte => `- ${byte}\n`).join(''), '- [redacted]\n'],
    [
      'signed, beyond ASCII',
      `[${[...new Int8Array(bytesOf('pässwörd-9876'))].join(', ')}]`,
      '[[redacted]]',
    ],
    [
      'of characters',
      `[${[...'pässwörd-9876'].map(sign => sign.charCodeAt(0)).join(',')}]`,
      '[[redacted]]',
    ],
    [
      'of node',
      `Uint8Array(24) [\n  ${bytes.join(', ').replace(/(.{30},) /, '$1\n   ')}\n]`,
      'Uint8Array(24) [\n  [redacted]\n]',
    ],
  ])('is masked in a text %s', (_, text, expected) => {
    expect(masked(text)).toBe(expected)
    expect(masked(JSON.stringify({ text }))).not.toContain('108')
    expect(masked(JSON.stringify(JSON.stringify({ text }, null, 2)))).not.toContain('108')
  })

  test('is masked in a text with the indexes of a typed array', () => {
    const text = masked(JSON.stringify(new Uint8Array(bytes), null, 1))
    expect(text).toBe('{\n "0": [redacted]\n}')
  })

  test('is masked in values: the bytes of the secret become one item', () => {
    expect(masked({ type: 'Buffer', data: [1, 2, ...bytes, 10] })).toEqual({
      type: 'Buffer',
      data: [1, 2, '[redacted]', 10],
    })
    expect(masked([...bytes, 32, ...bytes])).toEqual(['[redacted]', 32, '[redacted]'])
    expect(masked([...new Int8Array(bytesOf('a pässwörd-9876'))])).toEqual([97, 32, '[redacted]'])
    expect(
      redactor(['日本語パスワード42'])([...new Int8Array(bytesOf('日本語パスワード42'))]),
    ).toEqual(['[redacted]'])
    expect(masked({ ...new Uint8Array([7, ...bytes, 9]) })).toEqual({
      '0': 7,
      '1': '[redacted]',
      '25': 9,
    })
    expect(masked({ body: Buffer.from(secret) })).toEqual({ body: { '0': '[redacted]' } })
    expect(masked({ ...bytes, [secret]: 1 })).toEqual({ '0': '[redacted]', '[redacted]': 1 })
    expect(masked(pairsOf(secret))).toEqual(['[redacted]'])
    expect(masked(bytes.map(String))).toEqual(['[redacted]'])
  })

  test('is masked in a list of millions', () => {
    const list = Array.from({ length: 3_000_000 }, (_, index) => 40 + ((index * 37) % 200))
    expect(masked(list)).toBe(list)
    const text = list.join()
    expect(masked(text)).toBe(text)
    expect(masked(`${text},${bytes.join()}`)).toBe(`${text},[redacted]`)
  })

  test('other numbers are kept', () => {
    const list = Array.from({ length: 40 }, (_, index) => (index * 37) % 256)
    for (const value of [list, { list, more: [list, [0.5, -1, 1e9, 112, 108, 97, 105, 110, 45]] }])
      expect(masked(value)).toBe(value)
    expect(masked(list.join(', '))).toBe(list.join(', '))
  })

  test.each([
    '1,',
    '112, ',
    '112,108,',
    '1 ',
    '"1":1,',
    '- 1\n',
    '1,'.repeat(7),
    ' ',
    '1,     ',
    '-',
    '7',
    '70',
    '"70",',
  ])('a text of 1 MB of %j is redacted in linear time', part => {
    expect(processorTime(() => masked(part.repeat(1e6 / part.length)))).toBeLessThan(5_000)
  })
})

describe('a known secret beyond ASCII', () => {
  const secret = 'pässwörd-9876-žř'
  const latin = 'pässwörd-9876'
  const astral = 'p4ss-\u{1f511}\u{1f511}-w0rd'
  const beyond = (text: string, write: (sign: string) => string) =>
    text.replaceAll(/[^ -~]/g, write)
  const escaped = (prefix: string, radix: number) => (sign: string) =>
    bytesOf(sign)
      .map(byte => prefix + byte.toString(radix))
      .join('')
  test.each([
    ['as bytes of Python', beyond(secret, escaped(String.raw`\x`, 16))],
    ['as bytes of git and ls -b', beyond(secret, escaped('\\', 8))],
    ['as code points of Perl', beyond(secret, sign => `\\x{${sign.charCodeAt(0).toString(16)}}`)],
    ['as code points of Rust', beyond(secret, sign => `\\u{${sign.charCodeAt(0).toString(16)}}`)],
    [
      'as long code points',
      beyond(secret, sign => `\\U${sign.charCodeAt(0).toString(16).padStart(8, '0')}`),
    ],
    ['of escape() of JavaScript', escape(secret)],
    ['decomposed', secret.normalize('NFD')],
    ['decomposed in hexadecimal', hexOf(secret.normalize('NFD'))],
    ['with UTF-8 read as Latin-1', Buffer.from(secret).toString('latin1')],
  ])('is masked %s', (_, text) => {
    for (const known of [secret, secret.normalize('NFD')]) {
      const masked = redactor([known])
      expect(masked(`a ${text} b`)).toBe('a [redacted] b')
      expect(masked(JSON.stringify(JSON.stringify({ text })))).toBe(
        JSON.stringify(JSON.stringify({ text: '[redacted]' })),
      )
    }
  })

  test.each([
    ['of Python', String.raw`\U0001f511`],
    ['of Rust', String.raw`\u{1f511}`],
    ['of Perl', String.raw`\x{1F511}`],
    ['of JSON', String.raw`\ud83d\udd11`],
    ['of HTML', '&#x1f511;'],
    ['of a URL, as bytes', '%f0%9f%94%91'],
    ['of a shell', String.raw`\360\237\224\221`],
  ])('is masked with characters beyond 16 bits %s', (_, sign) => {
    const text = `a ${astral.replaceAll('\u{1f511}', sign)} b`
    const masked = redactor([astral])
    expect(masked(text)).toBe('a [redacted] b')
    expect(masked(json(json(text)))).toBe('a [redacted] b')
    expect(masked(`\u{1f511} ${sign} ${astral}${sign}`)).toBe(`\u{1f511} ${sign} [redacted]${sign}`)
  })

  const ways: Readonly<Record<string, (text: string) => string>> = {
    json: text =>
      beyond(json(text), sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    html: text => beyond(text, sign => `&#${sign.charCodeAt(0)};`),
    url: encodeURIComponent,
    bytes: text => beyond(json(text), escaped(String.raw`\x`, 16)),
    octal: text => beyond(json(text), escaped('\\', 8)),
  }
  const pairs = Object.entries(ways).flatMap(([a, first]) =>
    Object.entries(ways).map(([b, second]) => [a, b, first, second] as const),
  )
  test.each(pairs)('is masked that was escaped as %s, then as %s', (_, __, first, second) => {
    const text = second(`a ${first(secret)} b`)
    expect(redactor([secret])(text)).toBe(second('a # b').replace(/#|%23/, '[redacted]'))
  })

  test('is masked as bytes of Latin-1', () => {
    const masked = redactor([latin])
    const bytes = Buffer.from(latin, 'latin1')
    expect(masked(`a ${escape(latin)} b`)).toBe('a [redacted] b')
    expect(
      masked(`a ${latin.replace('ä', String.raw`\xe4`).replace('ö', String.raw`\366`)} b`),
    ).toBe('a [redacted] b')
    expect(masked(`[${[...bytes].join(', ')}]`)).toBe('[[redacted]]')
    expect(masked(`a ${bytes.toString('hex')} b`)).toBe('a [redacted] b')
    expect(masked(`a ${bytes.toString('base64')} b`)).toBe('a [redacted]g== b')
  })
})

describe('a known secret of several lines', () => {
  /** Between two lines in double quotes. */
  const PYYAML = '\\n\\\n    '
  const secret = 'first line of 1 key\n  second-line-of-it\n\nthird'
  const masked = redactor([secret])

  test.each([
    ['with the line breaks of Windows', secret.replaceAll('\n', '\r\n')],
    ['indented', secret.replaceAll('\n', '\n      ')],
    ['in a numbered listing', secret.replaceAll('\n', '\n     12\t')],
    ['in a diff', secret.replaceAll('\n', '\n+')],
    ['with the blanks of a shell', secret.replaceAll(/\s+/g, ' ')],
    ['with escaped line breaks', secret.replaceAll('\n', String.raw`\n`)],
    ['with two carriage returns', secret.replaceAll('\n', '\r\r\n')],
    ['in folded YAML', secret.replaceAll(/\n+/g, '$&\n  ')],
    ['in folded YAML of Windows', secret.replaceAll(/\n+/g, '$&\n  ').replaceAll('\n', '\r\n')],
    ['in folded YAML behind numbers', secret.replaceAll(/\n+/g, '$&     12\t\n     13\t  ')],
    ['in quotes of PyYAML', secret.replaceAll(/\n(?=\S)/g, PYYAML)],
  ])('is masked %s', (_, text) => {
    expect(masked(`a: ${text};`)).toBe('a: [redacted];')
    expect(masked(JSON.stringify({ text }))).toBe('{"text":"[redacted]"}')
  })

  test('is masked whole in pieces, in folded YAML and in quotes of PyYAML', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `${at}K`.repeat(1 + ((at * 7) % 22)) + at)
    const long = redactor([lines.join('\n')])
    const folds = ['\n\n    ', '\r\r\n', PYYAML]
    for (const fold of folds) expect(long(`a: ${lines.join(fold)};`)).toBe('a: [redacted];')
    const some = lines.map((line, at) => (at % 3 ? String.raw`\n` : PYYAML) + line).join('')
    expect(long(`a: ${some};`)).toMatch(/^a: .{1,6}\s{0,5}\[redacted\];$/)
  })

  test('is searched in linear time', () => {
    const known = redactor([
      'ab\n1\n'.repeat(20),
      'ab\n\n'.repeat(20),
      `${'1\n'.repeat(30)}Z9`,
      'a\n'.repeat(30),
      'a\n b\n'.repeat(20),
      `${'\n'.repeat(40)}Z9`,
      `${"'\n".repeat(20)}Z9`,
      `${'\n '.repeat(20)}Z9`,
    ])
    for (const text of [
      '\n',
      'a\n',
      ' a a a\n',
      `${'a'.repeat(40)}\n`,
      'a b ',
      ' \n b\n',
      `\n${String.raw`\n`.repeat(20)}`,
      `\n${"'n".repeat(20)}`,
      '\n  \n\n',
      '\n&#10;',
      ' a\n b\n',
      'ab\n1\n',
      'ab\n\n1\n\n',
      'a\n\n',
      '1\n\n',
      '1\n1\n\n',
      '\\n\\\n',
    ]) {
      expect(processorTime(() => known(text.repeat(100_000 / text.length)))).toBeLessThan(2_000)
    }
  })

  test('is masked with line breaks that its variable has escaped', () => {
    const known = redactor([secret.replaceAll('\n', String.raw`\n`)])
    expect(known(`a: ${secret};`)).toBe('a: [redacted];')
  })
})

describe('a known secret in nested digits', () => {
  const secret = 'plain-Value-90210-abcdef'
  const masked = redactor([secret])
  const leaks = (text: string) => {
    const rest = masked(text).replaceAll('[redacted]', '')
    return rest.length > text.length / 3
  }

  test.each([
    ['hexadecimal of base64', hexOf(base64(`ada:${secret}`))],
    ['decimal numbers of base64', bytesOf(base64(`ada:${secret}`)).join(',')],
    ['hexadecimal of hexadecimal', hexOf(hexOf(secret))],
    ['base64 of hexadecimal', base64(hexOf(secret))],
    ['hexadecimal with dots', pairsOf(secret).join('.')],
    ['hexadecimal with bars', pairsOf(secret).join('|')],
    ['hexadecimal with underscores', pairsOf(secret).join('_')],
    ['a list of hexadecimal digits', JSON.stringify(pairsOf(secret))],
    ['base64 with escaped line breaks', base64(secret).replaceAll(/.{12}/g, '$&\\\n')],
    ['base64 with line breaks of HTML', base64(secret).replaceAll(/.{12}/g, '$&<br>\n')],
    ['a list of lines of base64', JSON.stringify(base64(secret).match(/.{1,12}/g))],
    ['base64 in a quoted mail', base64(secret).replaceAll(/.{12}/g, '$&\n> ')],
  ])('is masked in %s', (_, text) => {
    expect(leaks(text)).toBe(false)
    expect(leaks(JSON.stringify({ text }))).toBe(false)
  })
})
