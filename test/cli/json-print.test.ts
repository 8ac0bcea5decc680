/** JSON of `--json` and `export`: complete, and safe for a terminal. */
import { escapeControls, withoutControls } from '../../src/core/watch/data/invisible.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const printed = (value: unknown) => escapeControls(JSON.stringify(value))

test.each([
  ['the flag of England', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
  ['a mark of musical notation', '\u{1D173}'],
  ['a control character', '\u009b2J'],
  ['a mark of the text direction', '\u202e'],
  ['half a pair', '\ud83c'],
])('%s is printed as escapes, and read back', (_, text) => {
  expect(printed(text)).toMatch(/^"\S*\\u\S*"$/)
  expect(JSON.parse(printed(text))).toBe(text)
})

test('every text is read back, and no control character is printed', () => {
  const formats = fc.constantFrom('\u{E0067}', '\u{1D173}', '\u00ad', '\ufeff', '\u2028', '\\', '"')
  // Also halves of pairs.
  const any = fc.integer({ min: 0, max: 0x10ffff }).map(point => String.fromCodePoint(point))
  const text = fc.array(fc.oneof(formats, any)).map(each => each.join(''))
  fc.assert(
    fc.property(text, text, (key, value) => {
      const json = printed({ [`k${key}`]: value })
      expect(JSON.parse(json)).toEqual({ [`k${key}`]: value })
      expect(withoutControls(json)).toBe(json)
    }),
  )
})
