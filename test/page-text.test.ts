/** Pages of bot walls and errors are compared by the words that a person sees, and no other pages. */
import { expect, test } from 'vitest'
import { pageText } from '../src/core/watch/text/page-text.ts'

test('a bot wall is its words', () => {
  const wall = (token: string) =>
    `<!DOCTYPE html><html><head><title>Just a moment...</title><script>x='${token}'</script></head><body data-t="${token}">Enable JavaScript&#46;</body></html>`
  expect(pageText(wall('a1'))).toBe(pageText(wall('b2')))
  expect(pageText(wall('a1'))).toContain('Enable JavaScript.')
})

test.each([
  '<html><body>Your turn <td data-square="e4">x</td></body></html>',
  '<html><body>Loading the app <script>__NEXT_DATA__={"a":1}</script></body></html>',
  '<html><body>Upload <progress value="30"></progress> running now</body></html>',
  'Access denied for the page <html>',
])('any other page stays as it is: %.60s', page => expect(pageText(page)).toBe(page))

test.each(['<script>', '<!--', '<', '<style', 'a', '</script>'])(
  'is read in linear time: %s',
  piece => {
    const page = `<html>access denied ${piece.repeat(32_000 / piece.length)}`
    const start = process.cpuUsage().user
    pageText(page.slice(0, 32_700))
    expect((process.cpuUsage().user - start) / 1_000).toBeLessThan(500)
  },
)
