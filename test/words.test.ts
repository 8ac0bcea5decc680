/** Plain words: phrases that a reader must stop at are refused in code, comments, strings and documents. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Each with what to write instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\bnobody\b/i, 'name the missing thing: "X is missing", "not found"'],
  [/\bwhoever\b/i, 'callers that …, the process that …'],
  [/\banew\b/i, 'again, or new'],
  [/\b(?:of )?one['’]s own\b/i, 'custom, its own'],
  [/\b(?:than|as) by default\b/i, 'overridden, or the default'],
  [/\bgone back to\b/i, 'rolled back to'],
  [/\bthere (?:is|are) none\b/i, 'the positive statement: "X is missing"'],
  [
    /\b(?:is|are) no (?!longer\b|more than\b|fewer than\b|less than\b)/i,
    'is not a …, X is missing',
  ],
  [/\blets? (?:\w+ )?out\b/i, 'escape'],
  [/\bcomes to\b/i, 'totals'],
  [/\bhow-many-th\b/i, 'the nth'],
  [/\botherwise than\b/i, 'overridden'],
  [/\bhe (?:is|has|was|can|may|must)\b/i, 'they'],
  [/\bso that\b[^.]*\bso that\b/i, 'two sentences'],
  [/\b(?:eyes?|laws?|dogs?|doors?)\b/i, 'the mechanism: detector, machine, watchdog, entry point'],
  [/\bthe (?:world|house)\b/i, 'external system, architecture'],
  [/\b(?:hears?|heard|told|tells|retold)\b/i, 'apply, receive, report, notify'],
  [/\b(?:spoilt|unborn|learnt)\b/i, 'uncompensatable, initial, learned'],
]

/** Fields of stored threads keep their names: `told`, `heard`. */
const STORED = /\b(?:told|heard)\b(?! [a-z])/g

const FILES = /^(?!test\/(?:words\.test\.ts|fixture\/))(?!package-lock).*\.(?:ts|mjs|md|ya?ml)$/

test('code, comments, strings and documents use plain words', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
  const found = files
    .filter(file => FILES.test(file))
    .flatMap(file => readFileSync(file, 'utf8').split('\n').flatMap(banned(file)))
  expect(found).toEqual([])
})

test('each banned phrase is found where it stands', () => {
  const lines = ['Nobody is there.', 'There is none.', 'it is no longer held', 'Watchdog']
  expect(lines.flatMap(banned('a.md'))).toHaveLength(2)
})

function banned(file: string): (line: string, index: number) => readonly string[] {
  return (line, index) =>
    BANNED.flatMap(([phrase, instead]) => {
      const [match] = phrase.exec(line.replace(STORED, '')) ?? []
      return match === undefined ? [] : [`${file}:${index + 1}: '${match}': ${instead}`]
    })
}
