/** The policy a spec asks for: its parts laid over the defaults. */
import { type DetectPolicy, type Detecting, type Policy, POLICY } from '../../watch/policy.ts'
import { isFinal, type Spec } from './spec.ts'

export function policyOf(spec: Spec): Policy {
  const { mistakes, ...limits } = spec.limits
  const { budget = {}, ...escape } = spec.escape
  return {
    detect: detectOf(spec, mistakes),
    retry: { ...POLICY.retry, ...defined(spec.retry) },
    breaker: { ...POLICY.breaker, ...defined(spec.breaker) },
    limits: { ...POLICY.limits, ...defined(limits) },
    escape: {
      ...POLICY.escape,
      ...defined(escape),
      budget: {
        alternative: { ...POLICY.escape.budget.alternative, ...defined(budget.alternative ?? {}) },
        review: { ...POLICY.escape.budget.review, ...defined(budget.review ?? {}) },
      },
    },
    failures: [...(spec.failures.rules ?? []), ...(spec.failures.defaults === false ? [] : POLICY.failures)] as Policy['failures'],
  }
}

function detectOf({ detect, nodes }: Spec, mistakes: number | undefined): DetectPolicy {
  const { tools = {}, nodes: byNode = {}, ignore = [], window, visits, ...own } = detect
  const inNodes = Object.entries(nodes).flatMap(([name, node]) => (!isFinal(node) && node.detect ? [[name, node.detect] as const] : []))
  return {
    ...POLICY.detect,
    ...defined(own),
    ...(mistakes === undefined ? {} : { mistakes: { limit: mistakes } }),
    ...(visits === undefined ? {} : { visits: visits === false ? false : { ...visits, ...(window === undefined ? {} : { window }) } }),
    tools: switched(tools),
    nodes: { ...switched(byNode), ...switched(Object.fromEntries(inNodes)) },
    ignore: ignore.map(path => path.replace(/^context\./, '')),
  }
}

const ALL_OFF: Detecting = { sequence: false, repetition: false, recurrence: false, visits: false, stale: false, errors: false, silence: false, mistakes: false }

type Tuning = Partial<{ [N in keyof Detecting]: Detecting[N] | undefined }>

function switched(by: Readonly<Record<string, false | Tuning>>): DetectPolicy['tools'] {
  return Object.fromEntries(Object.entries(by).map(([name, tuning]) => [name, tuning === false ? ALL_OFF : (defined(tuning) as Partial<Detecting>)]))
}

/** Without the keys that hold nothing, so that they do not hide a default. */
function defined<T extends object>(part: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> }
}
