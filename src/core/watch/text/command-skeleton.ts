/**
 * A shell command without what it is about: `kubectl get secrets -n NS --no-headers | wc -l` is "kubectl get -n --no-headers | wc -l".
 *
 * Hard cases: a plain word may be a subcommand (`aws s3api get-bucket-policy`) or a name (`cat notes`). The first two after a program are
 * read as subcommands. Quoted texts, paths, addresses, numbers and names with digits or capitals are what the command is about.
 */
const LENGTH_MAX = 400
const SKELETON_MAX = 120
const TOKEN = /"[^"]*"|'[^']*'|&&|\|\||[|;&\n]|[^\s"'|;&]+/g
const OPERATOR = /^(?:&&|\|\||[|;&\n])$/
const PLAIN = /^[a-z][a-z-]*$/
const SUBCOMMANDS = 2

/** `undefined` for a long command. */
export function commandSkeleton(command: string): string | undefined {
  if (command.length > LENGTH_MAX) return undefined
  const kept: string[] = []
  let place = 0
  for (const token of command.match(TOKEN) ?? []) {
    if (OPERATOR.test(token)) place = -1
    const isCommand = place <= SUBCOMMANDS && PLAIN.test(token)
    if (OPERATOR.test(token) || token.startsWith('-') || place === 0 || isCommand) kept.push(token)
    if (!token.startsWith('-')) place++
  }
  return kept.join(' ').slice(0, SKELETON_MAX)
}
