/**
 * What a search looks for, without where and how it looks.
 *
 * Intuition: thirty names that are searched in one folder are thirty questions, although each call repeats the folder and the options.
 * Hard cases: the same name in another folder is compared as a whole call. Rewordings of one question share few words, therefore only
 * names are read.
 */
import { isMap, type Json } from '../data/json.ts'
import { encodeHashes, insertHash, type MinHash } from '../text/similarity.ts'
import { READ_MAX, read } from '../text/words.ts'

/** The words of a name. More words are a question, and may be the same one reworded. */
const NAME_MAX = 3
/** The argument of a search tool that names what is searched. */
const SOUGHT =
  /^(?:pattern|regexp?|q|query|search(?:_?(?:term|text|query|string|pattern))?|keywords?|terms?|needle|symbol)$/i
const COMMAND = /^(?:command|cmd|script)$/i
/** The pattern of a search in a shell: its first argument that is not an option, also in quotes. */
const OF_SHELL =
  /(?:^|[;&|]\s*|\bgit )(?:grep|rg|ag)(?:\s+-[\w-]+(?:=\S+)?)*\s+(?:"([^"]+)"|'([^']+)'|([^\s"'-][^\s"']*))/

/** The words of the name that is searched; `undefined` if the call does not say it apart from the rest. */
export function askedOf(args: Json): MinHash | undefined {
  if (!isMap(args)) return undefined
  const texts = Object.entries(args).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const sought = texts.find(([name]) => SOUGHT.test(name))?.[1]
  const command = texts.find(([name]) => COMMAND.test(name))?.[1]
  const text = sought ?? (command === undefined ? undefined : ofShell(command))
  if (text === undefined || text.length > READ_MAX) return undefined
  const words: number[] = []
  const add = (hash: number) => insertHash(words, hash)
  read(text, 'none', { word: add, number: add })
  return words.length > 0 && words.length <= NAME_MAX ? encodeHashes(words) : undefined
}

function ofShell(command: string): string | undefined {
  const [, double, single, bare] = OF_SHELL.exec(command) ?? []
  return double ?? single ?? bare
}
