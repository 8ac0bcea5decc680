/** Rules that say which tool calls need a person's permission. */
import type { Json } from '../data/json.ts'
import { linearPattern } from '../data/pattern.ts'

/** `write`: only if the tool writes. */
export const CONFIRM = ['always', 'write', 'never'] as const

/** One of the words, or a map: a CEL condition over `args` (default: always) and the question to ask. */
export type Confirm =
  | (typeof CONFIRM)[number]
  | { readonly when?: string | undefined; readonly question?: string | undefined }

/** Keyed by tool name or by a pattern with `*`. An exact name takes precedence; otherwise the first matching pattern applies. */
export type ConfirmPolicy = Readonly<Record<string, Confirm>>

/** Whether a call may need permission. A condition counts as true. */
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

/** Replaces each `{{path}}` with the value in `args`, as in `Refund {{amount}} for {{order.id}}?`. */
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

/** Whether a tool matches a pattern in which `*` stands for any text. */
export function matchesTool(pattern: string, tool: string): boolean {
  return pattern.includes('*') && linearPattern(`^${pattern.replaceAll(/\*+/g, '.*')}$`).test(tool)
}
