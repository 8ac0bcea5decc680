/** Reads YAML, with the faults of a document in the order of their places. */
import { type Document, type DocumentOptions, isScalar, type ParseOptions } from 'yaml'
import { parseDocument, type SchemaOptions, visit, YAMLParseError } from 'yaml'

type Options = ParseOptions & DocumentOptions & SchemaOptions

/** As `parseDocument`. The library compares each key of a map with all others, which takes minutes for 100,000 keys. */
export function readYaml(text: string, options: Options = {}): Document {
  const document = parseDocument(text, { ...options, uniqueKeys: false })
  for (const error of duplicateKeys(document)) document.errors.push(error)
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
