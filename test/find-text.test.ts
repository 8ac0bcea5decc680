/** The linear search finds what the search of JavaScript finds. */
import { expect, test } from 'vitest'
import { hasText, withoutText } from '../src/core/watch/data/find-text.ts'

/** Texts of few letters, whose parts resemble each other. */
function* samples(): Generator<readonly [text: string, part: string]> {
  for (const length of [400, 501, 600, 1_000])
    for (const unit of ['a', 'ab', 'aab', 'abaab'])
      for (const other of ['', 'b', 'c', 'aa']) {
        const half = unit.repeat(Math.ceil(length / unit.length / 2))
        const part = half + other + half
        for (const around of ['', 'a', half, half.slice(1)])
          for (const text of [
            around + part + around,
            part + part.slice(1),
            (half + other).repeat(9),
          ])
            yield [text, part]
      }
}

test('texts of any length are found and removed as `includes` and `replaceAll` do', () => {
  let found = 0
  for (const [text, part] of samples()) {
    expect(hasText(text, part)).toBe(text.includes(part))
    expect(withoutText(text, part)).toBe(text.replaceAll(part, ''))
    found += Number(text.includes(part))
  }
  expect(found).toBeGreaterThan(100)
  expect(withoutText('text', '')).toBe('text')
})
