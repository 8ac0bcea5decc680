/**
 * The plan that a call stores: the list of steps of an agent, each with its status.
 *
 * Intuition: `TodoWrite` answers each new list with the same sentence. Only the list says what has changed.
 * Hard case: an agent without progress that writes the same list again repeats itself. It is the list that is compared, not that it was written.
 */
import { canonical, isMap, type Json } from '../data/json.ts'

/** `TodoWrite`, `write_todos`, `update_plan`, `manage_todo_list`. */
const PLANNING = /(?:to_?dos?|plan|task_?list)(?:[_.-]?(?:list|write|update))?$/i
const STATUS = /^(?:status|state|completed|done)$/i

/** The list as a text, of a tool that is named after plans. */
export function planIn(tool: string, args: Json): string | undefined {
  if (!PLANNING.test(tool) || !isMap(args)) return undefined
  const [list, ...others] = Object.values(args).filter(value => Array.isArray(value))
  return list?.length && others.length === 0 && list.every(isStep) ? canonical(list) : undefined
}

const isStep = (step: Json): boolean =>
  isMap(step) && Object.keys(step).some(name => STATUS.test(name))
