/** The policy a spec asks for: its parts laid over the defaults. */
import { type DetectPolicy, type Detecting, type Policy, POLICY } from '../../watch/policy.ts'
import { defined } from './defined.ts'
import { type Spec, workingNodes } from './spec.ts'

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

function detectOf(spec: Spec, mistakes: number | undefined): DetectPolicy {
  const { detect } = spec
  const { tools = {}, nodes: byNode = {}, ignore = [], window, visits, ...own } = detect
  const inNodes = workingNodes(spec).flatMap(([name, { detect }]) => (detect ? [[name, detect] as const] : []))
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
