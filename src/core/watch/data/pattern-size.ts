/** The size of the program of a regular expression, before it is built. */

/** In the syntax of RE2: quoted text, classes, escapes, repetitions, groups, other characters. */
const TOKEN =
  /\\Q[\s\S]*?(?:\\E|$)|\[\^?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*(?:\]|$)|\\[pP]\{[^}]{0,60}\}|\\x\{[^}]{0,12}\}|\\[\s\S]|\{(\d+)(?:(,)(\d*))?\}|\((?:\?(?:P?<\w+>|[\w-]*:?))?|[\s\S]/g

const PROPERTY = /\\[pP]/g
/** RE2 reads the hundreds of ranges of `\p{L}` for each mention: as long as it takes to build so many instructions. */
const PROPERTY_SIZE = 40

/** The most instructions that RE2 builds for a pattern: each repetition repeats what stands before it. */
export function instructionsOf(source: string): number {
  const outer: number[] = []
  let sum = 2
  let last = 0
  let properties = 0
  for (const [token, least, comma, most] of source.matchAll(TOKEN)) {
    if (!token.startsWith('\\Q')) properties += token.match(PROPERTY)?.length ?? 0
    if (token.startsWith('(')) {
      outer.push(sum)
      sum = 2
      last = 0
    } else if (token === ')') {
      last = sum
      sum += outer.pop() ?? 0
    } else if (least !== undefined) {
      const times = Math.max(Number(least) + (comma && !most ? 1 : 0), Number(most ?? 0))
      // An optional repetition takes one more instruction, and so does one that is left out.
      const repeated = Math.max((last + (comma ? 1 : 0)) * times, 1) + (comma ? 1 : 0)
      sum += repeated - last
      last = repeated
    } else if (token === '*') sum += 2
    else {
      last = token.startsWith('\\Q') ? token.length : 1
      sum += last
    }
  }
  return outer.reduce((all, inner) => all + inner, sum) + properties * PROPERTY_SIZE
}
