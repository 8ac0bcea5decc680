/** Known secrets in base64 within base64: Kubernetes encodes a configuration of Docker, which encodes a password. */
import { overlapping, type Span, spansOf } from './mask.ts'

/** Four digits for three printable characters of ASCII. Other texts seldom have four of them in a row. */
const QUANTUM = String.raw`[I-Za-f][C-HS-Xi-ny-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]`
/** Lines of MIME break between these. */
const RUN = new RegExp(String.raw`${QUANTUM.repeat(4)}(?:[\r\n]{0,2}${QUANTUM})*[\w+/-]{0,3}`, 'g')

/** The parts of a text whose decoded text matches one of the patterns. */
export function nestedIn(text: string, patterns: readonly RegExp[]): readonly Span[] {
  return spansOf(RUN, text).flatMap(([from, to]) => {
    const run = text.slice(from, to)
    const decoded = Buffer.from(run, 'base64').toString('latin1')
    const found = patterns.flatMap(pattern => overlapping(pattern, decoded))
    if (found.length === 0) return []
    const digits = spansOf(/[\w+/-]/g, run)
    // A byte begins in one digit and ends in the next.
    const digitOf = (byte: number) => Math.floor((byte * 4) / 3)
    return found.map(([start, end]): Span => {
      const [first] = digits[digitOf(start)] as Span
      const [, last] = digits[digitOf(end - 1) + 1] as Span
      return [from + first, from + last]
    })
  })
}
