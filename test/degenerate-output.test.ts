/** Degenerate output: detected in a stream with any chunk sizes, without false positives on similar text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  OUTPUT_SCAN,
  type RepeatedChunk,
  findRepeatedChunk,
  scanChunk,
} from '../src/core/watch/detect/degenerate-output.ts'
import { isListed } from '../src/core/watch/detect/list-items.ts'

const OPTIONS = { repeats: 10, length: 200 }

function streamed(text: string, sizes: readonly number[]): RepeatedChunk | undefined {
  let scan = OUTPUT_SCAN
  let first: RepeatedChunk | undefined
  for (let at = 0, nth = 0; at < text.length; nth++) {
    const size = sizes[nth % sizes.length] ?? 1
    const [next, found] = scanChunk(scan, text.slice(at, at + size), OPTIONS)
    scan = next
    first ??= found
    at += size
  }
  return first
}

const word = fc.stringMatching(/^[a-z]{3,8}$/)
const chunk = fc.array(word, { minLength: 4, maxLength: 30 }).map(words => `${words.join(' ')}. `)
const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 })

describe('degenerateOutput', () => {
  test('detects any words repeated twenty times at the same character, after any text and with any chunk size', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), chunk, sizes, (before, words, pieces) => {
        const text = `${before.join(' ')} ${words.repeat(20)}`
        const found = findRepeatedChunk(text, OPTIONS)
        expect(found?.repeats).toBeGreaterThanOrEqual(OPTIONS.repeats)
        expect(streamed(text, pieces)?.characters).toBe(found?.characters)
      }),
    )
  })

  test('ignores words in random order, however few distinct ones there are', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('the', 'cat', 'sat', 'on', 'a', 'mat', 'and', 'slept', 'until', 'noon'),
          { minLength: 100, maxLength: 400 },
        ),
        words => {
          // Excludes accidental repetition.
          fc.pre(new Set(words).size > 5)
          expect(
            findRepeatedChunk(
              words.map((word, index) => `${word}${index % 7 === 0 ? index : ''}`).join(' '),
              OPTIONS,
            ),
          ).toBeUndefined()
        },
      ),
    )
  })

  test.each([
    ['nine times is not yet one', 'I will end the turn now, and say no more of it. '.repeat(9)],
    [
      'a list whose items begin alike',
      Array.from(
        { length: 60 },
        (_, nth) => `- projects/my-project/locations/europe-west${nth}/services/api\n`,
      ).join(''),
    ],
    ['a list of equal items', '- the same thing as above\n'.repeat(40)],
    [
      'a numbered list',
      Array.from({ length: 60 }, (_, nth) => `${nth + 1}. ask the next person\n`).join(''),
    ],
    ['a table of equal rows', '| yes | yes | yes | no |\n'.repeat(40)],
    ['a table’s rule', '|-----|-----|-----|-----|\n'.repeat(40)],
    ['code', '  counter += 1; await sleep(100);\n'.repeat(40)],
    ['code that nests', `(define ones ${'(cons 1 '.repeat(60)}${')'.repeat(61)}`],
    ['code that nests with predicates', `(or ${'(if (null? x) '.repeat(40)}${')'.repeat(41)}`],
    ['code that nests conditions', `${'(ready ? (done ? '.repeat(40)}${')'.repeat(80)}`],
    ['code that nests pairs', `${'(one . (two . '.repeat(40)}${')'.repeat(80)}`],
    [
      'code within a fence',
      `Here it is:\n\`\`\`\n${'call the function again and again\n'.repeat(40)}\`\`\`\n`,
    ],
    ['data', '{"x":0,"y":0,"label":"none"},'.repeat(40)],
    ['a list of labels in JSON', `[${'"harmless",'.repeat(400)}"harmless"]`],
    [
      'a list of labels in a field of JSON, one in a line',
      `{\n  "labels": [\n${'    "in progress",\n'.repeat(400)}    "done"\n  ]\n}`,
    ],
    ['a list of truth values in JSON', `[${'false, '.repeat(400)}true]`],
    [
      'a list of equal records in JSON',
      `[${'{"label": "harmless", "spam": false}, '.repeat(200)}{}]`,
    ],
    ['the rows of a CSV', `name,paid\n${',no\n'.repeat(400)}`],
    ['one label in a line', 'harmless\n'.repeat(400)],
    ['labels between commas', `${'neutral, '.repeat(400)}neutral`],
    ['labels between commas after a sentence', `The labels are: ${'yes, '.repeat(400)}no.`],
    ['labels of two words between commas', 'not spam, '.repeat(400)],
    ['labels between commas without blanks', 'neutral,spam,'.repeat(200)],
    ['labels between semicolons', 'harmless; '.repeat(400)],
    ['labels between bars', 'harmless | '.repeat(400)],
    ['labels between commas of Chinese', '中性，'.repeat(400)],
    ['labels of two words, one in a line', 'not spam\n'.repeat(400)],
    ['two labels in turn, one in a line', 'not spam\nspam\n'.repeat(200)],
    ['the rows of a TSV', `label\tscore\n${'neutral\t0.5\n'.repeat(400)}`],
    ['the rows of a TSV, with CR', 'neutral\t0.5\r\n'.repeat(400)],
    ['a sentence in each line', 'No issue found.\n'.repeat(400)],
    ['a comment in each line', 'Comment: harmless, no action required.\n'.repeat(200)],
    ['rows of SQL', `INSERT INTO t VALUES\n${"(NULL, NULL, 'N/A'),\n".repeat(400)}`],
    ['items of YAML', '- label: neutral\n  score: 0.5\n'.repeat(200)],
    ['records in lines, with an empty one between', 'Label: neutral\nScore: 0.5\n\n'.repeat(200)],
    ['a line of dashes', '-'.repeat(2_000)],
    ['blanks', ' '.repeat(5_000)],
    ['two hundred nested lists', '['.repeat(200) + ']'.repeat(200)],
    ['a drawing', '╭─╮╰─╯'.repeat(300)],
    ['nothing', ''],
  ])('%s is left alone', (_, text) => {
    expect(findRepeatedChunk(text, OPTIONS)).toBeUndefined()
  })

  test.each([
    [
      'after a block of code',
      `\`\`\`\nlet x\n\`\`\`\n${'I will not output any text. '.repeat(12)}`,
    ],
    ['five letters over and over', 'SELEC'.repeat(60)],
    ['code that nests without end', '(cons 1 '.repeat(201)],
    ['a remark between brackets', 'I will end the turn (now, and for good). '.repeat(12)],
    ['a sentence with a bracket that stays open', 'I will end the turn (now. '.repeat(12)],
    ['a question with a bracket that stays open', 'Shall I stop (now)? Or (then? '.repeat(12)],
    ['a command with a bracket that stays open', 'Stop it (now! '.repeat(20)],
    ['brackets of which one stays open', '(a) I will stop. (b I will go. '.repeat(12)],
    ['a phrase with a bracket that stays open', 'and I will end the turn (for now, '.repeat(12)],
    ['a sentence with a sad face and a period', 'I am sorry :(. '.repeat(20)],
    ['a phrase with a sad face and a comma', 'I am sorry :(, '.repeat(20)],
    ['a phrase with a sad face with a nose', "so sorry :-(, I'm sad :'(, ".repeat(12)],
    ['a phrase with a glad face', 'I am so glad (: '.repeat(20)],
    ['a sentence with a sad face', 'I cannot say more of it :( '.repeat(12)],
    ['a list that never ends', '- the same thing as above\n'.repeat(600)],
    ['labels in JSON that never end', `[${'"harmless",'.repeat(1_400)}`],
    ['records in JSON that never end', `[${'{"label": "harmless", "spam": false}, '.repeat(700)}`],
    ['rows of a CSV that never end', ',no\n'.repeat(3_500)],
    ['words between commas that never end', 'harmless, '.repeat(1_400)],
    ['lines of a sentence that never end', 'No issue found.\n'.repeat(900)],
    ['items of YAML that never end', '- label: neutral\n  score: 0.5\n'.repeat(500)],
    ['one word between blanks', 'yes '.repeat(60)],
    ['a phrase between commas', 'and so on and on, '.repeat(20)],
    ['a phrase of three words between commas', 'and so on, '.repeat(20)],
    ['a sentence before a blank', 'No issue was found. '.repeat(20)],
    ['a sentence before an empty line', 'I will now end the turn.\n\n'.repeat(15)],
    [
      'three sentences, each in a line',
      'I will call the tool now.\nIt gave no result.\nLet me think about it again.\n'.repeat(12),
    ],
    [
      'a thought and an action, each in a line',
      'Thought: I should search for the order again.\nAction: search\n'.repeat(12),
    ],
    [
      'a long line',
      'The comment is about the delivery of the parcel, and nothing in it asks for any action of ours.\n'.repeat(
        12,
      ),
    ],
    [
      'a line after prose',
      `Here is what I think of it. ${'I am not able to say more about it now. '.repeat(12)}`,
    ],
    ['one opening bracket over and over', '['.repeat(5_000)],
    ['one opening brace over and over', '{'.repeat(5_000)],
    ['two brackets over and over', '[{'.repeat(2_500)],
    ['brackets after words', `The answer is ${'[{'.repeat(2_500)}`],
    ['blanks that never end', ' \n'.repeat(10_000)],
    ['a line of dashes that never ends', '-'.repeat(20_000)],
    ['a block of code that never ends', `\`\`\`json\n${'[{'.repeat(10_000)}`],
  ])('%s it is detected', (_, text) => {
    expect(findRepeatedChunk(text, OPTIONS)).toBeDefined()
  })

  test.each([
    [
      'lines of nothing but their ends, and signs',
      `ab${'{'.repeat(45)}${'\n'.repeat(460)}`.repeat(100),
    ],
    ['fences without end', '```'.repeat(400_000)],
    [
      'laps that break off before they are many',
      Array.from({ length: 2_000 }, (_, nth) => '{"x": 1, "y": [2]}, '.repeat(70) + nth).join(''),
    ],
  ])('takes linear time for %s', (_, text) => {
    const start = performance.now()
    findRepeatedChunk(text, OPTIONS)
    expect(performance.now() - start).toBeLessThan(3_000)
  })

  test('keeps a state of plain JSON with bounded size', () => {
    let scan = OUTPUT_SCAN
    for (let nth = 0; nth < 2_000; nth++)
      [scan] = scanChunk(scan, `the ${nth}th word of a long story, `, OPTIONS)
    expect(JSON.parse(JSON.stringify(scan))).toEqual(scan)
    expect(JSON.stringify(scan).length).toBeLessThan(1_300)
  })
})

test.each(['\n\0\n', 'a\n \n', ', \n', 'a b '])(
  'a chunk that repeats %j is judged in linear time',
  part => {
    const since = performance.now()
    isListed(`\0\t${part.repeat(2_000)}\0`)
    expect(performance.now() - since).toBeLessThan(500)
  },
)
