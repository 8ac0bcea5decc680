/**
 * The plan that a call stores: the list of steps of an agent, each with its status.
 *
 * Intuition: `TodoWrite` answers each new list with the same sentence. Only the list says what has changed.
 * Hard case: `get_todos({ user, filters })` asks for the tasks of someone. Therefore the list stands alone, but for flags and an explanation.
 */
import { canonical, isMap, type Json, parseJson } from '../data/json.ts'

/** `TodoWrite`, `write_todos`, `update_plan`, `manage_todo_list`, also of a server: `mcp__plans__update_plan`. */
const PLANNING =
  /^(?:\w+__)?(?:(?:write|update|manage|set)[_.-]?)?(?:to_?dos?|plan|task_?list)(?:[_.-]?(?:list|write|update))?$/i
const STATUS = /^(?:status|state|completed|done)$/i
const BESIDE = /^(?:explanation|reason|merge|operation)$/i
/** What is said of a step beside its content: `activeForm`. */
const SAID = /^(?:active_?form|id)$/i
/** A step with a box, in a list of Markdown. */
const BOX = /^\s*(?:[-*]\s+|\d+\.\s+)?\[[ x~/-]\]/im

/** The steps as a text, of a tool that is named after plans. */
export function planIn(tool: string, args: Json): string | undefined {
  if (!PLANNING.test(tool) || !isMap(args)) return undefined
  const [plan, ...others] = Object.entries(args).filter(([name]) => !BESIDE.test(name))
  return plan === undefined || others.length > 0 ? undefined : stepsIn(plan[1])
}

/** Models also write the list as JSON, or in Markdown. */
function stepsIn(plan: Json): string | undefined {
  if (typeof plan !== 'string') return isPlan(plan) ? canonical(plan.map(withoutSaid)) : undefined
  const parsed = parseJson(plan)
  if (parsed !== undefined && typeof parsed !== 'string') return stepsIn(parsed)
  return BOX.test(plan) ? plan : undefined
}

const isPlan = (plan: Json): plan is readonly Json[] =>
  Array.isArray(plan) && plan.length > 0 && plan.every(isStep)

const isStep = (step: Json): boolean =>
  typeof step === 'string'
    ? BOX.test(step)
    : isMap(step) && Object.keys(step).some(name => STATUS.test(name))

const withoutSaid = (step: Json): Json =>
  isMap(step) ? Object.fromEntries(Object.entries(step).filter(([name]) => !SAID.test(name))) : step
