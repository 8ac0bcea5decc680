/**
 * What a search looks for, without where and how it looks.
 *
 * Intuition: thirty names that are searched in one folder are thirty questions, although each call repeats the folder and the options.
 * Hard cases: the same name in another folder is compared as a whole call, because an agent guesses where a name is. In another file it is
 * another question: a survey of files. Rewordings of one question share few words, therefore only names are read.
 */
import { isMap, type Json } from '../data/json.ts'
import { filesIn } from '../outcome/file-report.ts'
import { encodeHashes, type MinHash, wordHashes } from '../text/similarity.ts'
import { READ_MAX } from '../text/words.ts'

/** The words of a name. More words are a question, and may be the same one reworded. */
const NAME_MAX = 3
/** The argument of a search tool that names what is searched. */
const SOUGHT =
  /^(?:patterns?|regexp?|q|query|queries|search(?:_?(?:terms?|text|query|queries|string|pattern))?|keywords?|terms?|needle|symbol)$/i
/** The argument that names an item, of a search without one of these. */
const NAMED =
  /^(?:name|key|identifier|target|name_?(?:path|pattern)|(?:symbol|function|method|class|type|variable|item)_?(?:name|path|id)?)$/i
const COMMAND = /^(?:command|cmd|script)$/i
/** The pattern of a search in a shell: its first argument that is not an option, also in quotes. */
const OF_SHELL =
  /(?:^|[;&|]\s*|\bgit )(?:grep|rg|ag)(?:\s+-[\w-]+(?:=\S+)?)*\s+(?:"([^"]+)"|'([^']+)'|([^\s"'-][^\s"']*))/

/** The signs of a pattern: `\\bNAME\\b`, `import.*NAME`. */
const SIGNS = /\\[a-z<>]|\.\*|[\\^$()[\]{}+?*|]/gi
/** A name of a program in a pattern: `class PriceList`, `process.env.API_KEY`. */
const IDENTIFIER =
  /\b(?:[a-z]+[A-Z]\w*|[A-Z]+[a-z]\w*[A-Z]\w*|[A-Za-z\d]+_\w+|[A-Z]{3,}[A-Z\d]*)\b/g

/** What is searched without the signs of a pattern: its one name of a program, otherwise all words. */
function withoutSigns(pattern: string): string {
  const text = pattern.replace(SIGNS, ' ')
  const names = text.match(IDENTIFIER) ?? []
  return names.length === 1 ? (names[0] ?? text) : text
}

/** The words of the name that is searched; `undefined` if the call does not say it apart from the rest. */
export function askedOf(args: Json): MinHash | undefined {
  if (!isMap(args)) return undefined
  const fields = Object.entries(args)
  const command = fields.find(([name]) => COMMAND.test(name))?.[1]
  const isShell = typeof command === 'string'
  const text = soughtIn(args) ?? (isShell ? ofShell(command) : namedIn(fields))
  if (text === undefined || text.length > READ_MAX) return undefined
  const words = wordHashes(withoutSigns(text))
  return words.length > 0 && words.length <= NAME_MAX ? encodeHashes(words) : undefined
}

const soughtIn = (args: Json): string | undefined =>
  isMap(args)
    ? Object.entries(args)
        .filter(([name]) => SOUGHT.test(name))
        .flatMap(([, value]) => soughtText(value) ?? [])[0]
    : undefined

/** Of `Cart/addItem`, the last part: the class is where it is. */
const namedIn = (fields: readonly (readonly [string, Json])[]): string | undefined =>
  fields
    .flatMap(([name, value]) => (NAMED.test(name) ? (soughtText(value) ?? []) : []))[0]
    ?.slice(-PATH_MAX)
    .split(/[/.#:]/)
    .findLast(part => part !== '')

const PATH_MAX = 200

/** What is searched, also by a list of queries or of records of these. */
function soughtText(value: Json): string | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : undefined
  const texts = value.map(query => soughtIn(query) ?? query)
  const isKnown = texts.length > 0 && texts.every(text => typeof text === 'string')
  return isKnown ? texts.join(' ') : undefined
}

/** What follows the pattern in a shell: one file, and what is done with the result. */
const IN_FILE =
  /^\s+(?:-- )?["']?[^\s"'*?|;&<>]*[\w-]\.[a-z]\w{0,9}(?:\.\w{1,10})?["']?\s*(?:$|[|;&>\n]|2>)/i

/** Whether a search names the one file in which it looks, beside what it looks for. */
export function searchesFile(args: Json): boolean {
  if (!isMap(args)) return false
  const fields = Object.entries(args)
  const command = fields.find(([name]) => COMMAND.test(name))?.[1]
  if (typeof command === 'string') {
    const found = OF_SHELL.exec(command)
    if (!found) return false
    const isPiped = found[0].startsWith('|') && filesIn(command.slice(0, found.index)).length === 1
    return isPiped || IN_FILE.test(command.slice(found.index + found[0].length))
  }
  const places = fields.filter(([name]) => !SOUGHT.test(name))
  return places.length < fields.length && filesIn(Object.fromEntries(places)).length === 1
}

function ofShell(command: string): string | undefined {
  const [, double, single, bare] = OF_SHELL.exec(command) ?? []
  return double ?? single ?? bare
}
