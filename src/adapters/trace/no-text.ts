/** What a file is that is no text in UTF-8, by how it begins, and what makes one of it. */

/** The beginnings as they stand once they were taken for UTF-8: a byte that can be none is U+FFFD. */
const PACKED: readonly (readonly [begins: string, what: string, unpack: string])[] = [
  ['\x1F\uFFFD', 'packed by gzip', 'gunzip -c'],
  ['\uFFFD7zXZ', 'packed by xz', 'xz -dc'],
  ['BZh', 'packed by bzip2', 'bunzip2 -c'],
  ['(\uFFFD/\uFFFD', 'packed by zstd', 'zstd -dc'],
  ['PK\x03\x04', 'a zip archive', 'unzip -p'],
]

const UTF_16: readonly (readonly [begins: RegExp, encoding: string])[] = [
  [/^\uFFFD\uFFFD.?\0/s, 'UTF-16'],
  [/^[^\0]\0/, 'UTF-16LE'],
  [/^\0[^\0]/, 'UTF-16BE'],
]

/** What to say of a file with this beginning; `undefined`: it may be text. */
export function noText(file: string, begins: string): string | undefined {
  const piped = (command: string) =>
    `expected text in UTF-8: \`${command} ${shellWord(file)} | escapement watch /dev/stdin\``
  const packed = PACKED.find(([mark]) => begins.startsWith(mark))
  if (packed) return `seems to be ${packed[1]}; ${piped(packed[2])}`
  const encoding = UTF_16.find(([mark]) => mark.test(begins))?.[1]
  if (encoding !== undefined)
    return `seems to be text in ${encoding}; ${piped(`iconv -f ${encoding} -t UTF-8`)}`
  return begins.includes('\0') ? 'is a binary file; expected text in UTF-8' : undefined
}

function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
