/**
 * The plan that a call stores: the list of steps of an agent, each with its status.
 *
 * Intuition: `TodoWrite` answers each new list with the same sentence. Only the list says what has changed.
 * Hard case: `get_todos({ user, filters })` asks for the tasks of someone. Its name says that it reads.
 */
import { canonical, isMap, type Json, parseJson } from '../data/json.ts'

/** `TodoWrite`, `write_todos`, `update_plan`, `manage_todo_list`, also of a server. */
const PLANNING = /(?:to_?dos?|plan|task_?list)(?:[_.-]?(?:list|write|update))?$/i
const READING = /(?:^|[_.-])(?:get|list|find|read|search|show|fetch|query|view|load)(?=[_.A-Z-])/
const STATUS = /^(?:status|state|completed|done)$/i
/** What is said of a step beside its content. */
const SAID = /^(?:active_?form|id)$/i
/** A step with a box, in a list of Markdown. */
const BOX = /^[ \t]*(?:[-*][ \t]+|\d+\.[ \t]+)?\[[ x~/-]\]/im

/** The steps as a text, with the plain values beside them, of a tool that is named after plans. */
export function planIn(tool: string, args: Json): string | undefined {
  if (!PLANNING.test(tool) || READING.test(tool) || !isMap(args)) return undefined
  const plans = Object.entries(args).flatMap(([name, value]) => {
    const steps = stepsIn(value)
    return steps === undefined ? [] : [{ name, steps }]
  })
  const [plan, ...more] = plans
  if (plan === undefined || more.length > 0) return undefined
  const others = Object.entries(args).filter(([name]) => name !== plan.name)
  const arePlain = others.every(([, value]) => typeof value !== 'object')
  return arePlain ? `${plan.steps} ${canonical(Object.fromEntries(others))}` : undefined
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

/** Without the content of a step, its id says which one it is. */
function withoutSaid(step: Json): Json {
  if (!isMap(step)) return step
  const rest = Object.entries(step).filter(([name]) => !SAID.test(name))
  return rest.every(([name]) => STATUS.test(name)) ? step : Object.fromEntries(rest)
}
