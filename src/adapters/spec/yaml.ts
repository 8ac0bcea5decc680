/** Reads YAML, with the faults of a document in the order of their places, and writes it. */
import { INVISIBLE } from '../../core/watch/data/invisible.ts'
import { Document, type DocumentOptions, isScalar, type ParseOptions } from 'yaml'
import { parseDocument, type SchemaOptions, visit, YAMLParseError } from 'yaml'

type Options = ParseOptions & DocumentOptions & SchemaOptions

/** The library compares each alias with all anchors and aliases before it. */
const ALIASES_MAX = 1_000

/** As `parseDocument`. The library compares each key of a map with all others, which takes minutes for 100,000 keys. */
export function readYaml(text: string, options: Options = {}): Document {
  const document = parseDocument(text, { ...options, uniqueKeys: false })
  for (const error of [...duplicateKeys(document), ...excessAlias(document)])
    document.errors.push(error)
  document.errors.sort((a, b) => a.pos[0] - b.pos[0])
  return document
}

function duplicateKeys(document: Document): readonly YAMLParseError[] {
  const found: YAMLParseError[] = []
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        const [start = 0, end = start] = key.range ?? []
        if (seen.has(key.value))
          found.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique'))
        seen.add(key.value)
      }
    },
  })
  return found
}

/** A fault at the first alias beyond the limit. */
function excessAlias(document: Document): readonly YAMLParseError[] {
  const found: YAMLParseError[] = []
  let aliases = 0
  visit(document, {
    Alias: (_, { range }) => {
      aliases++
      if (aliases <= ALIASES_MAX) return undefined
      const [start = 0, end = start] = range ?? []
      const message = `expected at most ${ALIASES_MAX} aliases`
      found.push(new YAMLParseError([start, end], 'BAD_ALIAS', message))
      return visit.BREAK
    },
  })
  return found
}

/** Control characters but line breaks and tabs, and invisible characters. */
const HIDDEN = new RegExp(String.raw`[^\P{Cc}\n\t]|\p{Cs}|${INVISIBLE}`, 'u')
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu')

/** A value as YAML. Control characters and invisible ones are escapes, which only a text in double quotation marks can have. */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && HIDDEN.test(scalar.value))
        scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 }).replace(ALL_HIDDEN, sign => {
    const code = (sign.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
  })
}
