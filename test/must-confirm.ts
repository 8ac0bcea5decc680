import { confirmByName, confirmByPattern } from '../src/core/watch/policy/policy.ts'
import type { ConfirmPolicy } from '../src/core/watch/policy/policy.ts'

/** Whether a call may need permission. A condition counts as true. */
export function mustConfirm(confirm: ConfirmPolicy, tool: string, effects: 'read' | 'write') {
  const rule = confirmByName(confirm, tool) ?? confirmByPattern(confirm, tool)
  return rule !== undefined && rule !== 'never' && (rule !== 'write' || effects === 'write')
}
