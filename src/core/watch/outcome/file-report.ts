/**
 * Whether an answer is a report on the files of its call: of a linter, a compiler or a test tool that counts or places what is wrong.
 *
 * Intuition: "1 problem" in one file and "1 problem" in the next are two results. The same of the first file again is not.
 *
 * Hard case: a command that fails alike for each file, "permission denied: b.txt". It names its file, too, but counts nothing.
 * Rejected: each failure that names a file, which misses agents that guess paths.
 */
import { COUNTS } from '../failure/failure-rules.ts'
import { isMap, type Json } from '../data/json.ts'

const COUNTED = new RegExp(COUNTS, 'i')
/** A row of ESLint or yamllint, and the line of ShellCheck above what it quotes. */
const PLACED = /^\s{0,8}\d+:\d+\s+(?:error|warning)\b|^In [^\n]{1,200} line \d+:$/im
/**
 * What follows the name of a file where a compiler or a linter places an error: `a.java:7: error`, `a.ts(3,8): error`, `a.py:3:80: E501`,
 * `a.php on line 7`. Not the line of an exception, such as `/srv/a.js:1`: a script that fails is not a report on it.
 */
const PLACE =
  /^(?::\d+(?::\d+)?|\(\d+,\d+\)):? (?:- |\w+ )?(?:error|warning|ERROR|[A-Z]{1,4}\d{3,5})\b|^:\d+:\d+(?:: \S|\])|^:? (?:on )?line \d+\b/
const PLACE_MAX = 60

/** The first characters of the arguments that are read. */
const ARGUMENTS_MAX = 2_000
const FILES_MAX = 4
const FILE_MAX = 80
const BETWEEN = /[\s"'`=;|&<>(),]+/
/** A path, or a name with an ending. Not an option, a number or an address. */
const FILE =
  /^(?!-|\w+:\/\/)(?=.*[a-z])(?:[a-z]:)?[^:*?]*(?:[\\/][\w.@-]+|[\w@-]\.[a-z]\w{0,9}(?:\.\d{1,8})?)$/i
/** What an answer contains of a path in any case. */
const LAST = /[^\\/]+$/

/** The names of the files in the arguments of a call. */
export function filesIn(args: Json): readonly string[] {
  const values = isMap(args) ? Object.values(args) : [args]
  const text = values.filter(value => typeof value === 'string').join(' ')
  const paths = text.slice(0, ARGUMENTS_MAX).split(BETWEEN).filter(isFile)
  const names = paths.map(path => LAST.exec(path)?.[0].toLowerCase() ?? '')
  return [...new Set(names)].slice(0, FILES_MAX)
}

const isFile = (path: string): boolean => path.length <= FILE_MAX && FILE.test(path)

/** The files of the call on which a text reports; `''` if it does not. */
export function filesReported(text: string, files: readonly string[] | undefined): string {
  if (files === undefined) return ''
  const received = text.toLowerCase()
  const named = files.filter(file => received.includes(file))
  const isReport = () => COUNTED.test(text) || PLACED.test(text) || named.some(isPlaced)
  const isPlaced = (file: string) =>
    placesOf(file, received).some(at => PLACE.test(text.slice(at, at + PLACE_MAX)))
  return named.length > 0 && isReport() ? named.join(' ') : ''
}

/** Where a text goes on after each of the first mentions of a file. */
function placesOf(file: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(file); at >= 0 && places.length < MENTIONS_MAX; ) {
    places.push(at + file.length)
    at = text.indexOf(file, at + file.length)
  }
  return places
}

const MENTIONS_MAX = 8
