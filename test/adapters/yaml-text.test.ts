/** Values as YAML, as `escapement draw --as spec` prints them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readYaml, yamlText } from '../../src/adapters/spec/yaml.ts'

const HIDDEN = [
  '\u200f',
  '\u00ad',
  '\u202e',
  '\u{e0067}',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\r',
]

test('any text is read again as it was, and its hidden characters are escapes', () => {
  const part = fc.oneof(
    fc.constantFrom(...HIDDEN, '\n', '\t', '\\', '"', ': ', '- '),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const text = fc.array(part, { maxLength: 8 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(text, text, (key, value) => {
      const before = { [key]: value, list: [value] }
      const written = yamlText(before)
      expect(readYaml(written).toJS()).toEqual(before)
      for (const hidden of HIDDEN) expect(written).not.toContain(hidden)
    }),
    { numRuns: 2_000 },
  )
})

test('other texts stay plain', () => {
  expect(yamlText({ prompt: 'Read one.\nThen stop.', when: 'a > 1', π: 'ü' })).toBe(
    'prompt: |-\n  Read one.\n  Then stop.\nwhen: a > 1\nπ: ü\n',
  )
})
