/** Which calls of tools a person must allow before they are made. */
import type { Json } from '../data/json.ts'

/** `write`: only if the tool writes. */
export const CONFIRM = ['always', 'write', 'never'] as const

/** Always, never, for writes, or under a condition in CEL over `args`; with the question to ask. Without `when`: always. */
export type Confirm =
  | (typeof CONFIRM)[number]
  | { readonly when?: string | undefined; readonly question?: string | undefined }

/** By the name of a tool, or by a pattern in which `*` stands for anything. A name takes precedence over patterns; of the patterns the first match decides. */
export type ConfirmPolicy = Readonly<Record<string, Confirm>>

/** Whether the policy may ask for a person before a call. A condition counts as true. */
export function mustConfirm(
  confirm: ConfirmPolicy,
  tool: string,
  effects: 'read' | 'write',
): boolean {
  const rule = confirmByName(confirm, tool) ?? confirmByPattern(confirm, tool)
  return rule !== undefined && rule !== 'never' && (rule !== 'write' || effects === 'write')
}

export function confirmByName(confirm: ConfirmPolicy, tool: string): Confirm | undefined {
  return Object.hasOwn(confirm, tool) ? confirm[tool] : undefined
}

export function confirmByPattern(confirm: ConfirmPolicy, tool: string): Confirm | undefined {
  return Object.entries(confirm).find(([pattern]) => matchesTool(pattern, tool))?.[1]
}

/** A text in which `{{path}}` stands for a value of `args`, as in `Refund {{amount}} for {{order.id}}?`. */
export function filledTemplate(template: string, args: Json): string {
  return template.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path: string) => {
    const value = path
      .split('.')
      .reduce<unknown>(
        (inner, key) =>
          typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
            ? (inner as Readonly<Record<string, unknown>>)[key]
            : undefined,
        args,
      )
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  })
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
