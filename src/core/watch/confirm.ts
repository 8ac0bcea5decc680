/** Which calls of tools a person must allow before they are made. */

/** `write`: only if the tool changes the world. */
export type Confirm = 'always' | 'write' | 'never'

export const CONFIRM = ['always', 'write', 'never'] as const satisfies readonly Confirm[]

/** By the name of a tool, or by a pattern in which `*` stands for anything. A name comes before any pattern; of the patterns the first that fits decides. */
export type ConfirmPolicy = Readonly<Record<string, Confirm>>

export function mustConfirm(
  confirm: ConfirmPolicy,
  tool: string,
  effects: 'read' | 'write',
): boolean {
  const word = Object.hasOwn(confirm, tool)
    ? confirm[tool]
    : Object.entries(confirm).find(([pattern]) => matchesTool(pattern, tool))?.[1]
  return word === 'always' || (word === 'write' && effects === 'write')
}

/** Whether a tool fits a pattern in which `*` stands for anything. */
export function matchesTool(pattern: string, tool: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return false
  if (!tool.startsWith(first) || !tool.endsWith(last) || tool.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of rest) {
    const found = tool.indexOf(part, at)
    if (found < 0 || found + part.length > tool.length - last.length) return false
    at = found + part.length
  }
  return true
}
