/** The policy that a spec asks for. */
import { completePolicy, type Policy } from '../../watch/policy.ts'
import { type Spec, workingNodes } from './spec.ts'

/** What a node or a tool says of itself comes before what `detect.nodes` or `confirm` says of it. */
export function policyOf(spec: Spec): Policy {
  const nodes = workingNodes(spec).flatMap(([name, { detect }]) =>
    detect ? [[name, detect] as const] : [],
  )
  const confirm = Object.entries(spec.tools).flatMap(([name, { confirm }]) =>
    confirm ? [[name, confirm] as const] : [],
  )
  return completePolicy({
    ...spec,
    confirm: { ...spec.confirm, ...Object.fromEntries(confirm) },
    limits: withScopeKeys(spec),
    detect: { ...spec.detect, nodes: { ...spec.detect.nodes, ...Object.fromEntries(nodes) } },
  })
}

/** A scope without a key is shared by the threads of its graph. */
function withScopeKeys({ id, limits: { scopes, ...limits } }: Spec): Spec['limits'] {
  if (!scopes) return limits
  return {
    ...limits,
    scopes: Object.fromEntries(
      Object.entries(scopes).map(([name, scope]) => [name, { ...scope, key: scope.key ?? id }]),
    ),
  }
}
<<<<<<< 47f41788aedd5a4d72dc8ff44efaaf46308fe69d

/** A policy with the parts of a spec laid over it. */
export function layPolicy(policy: Policy, parts: PolicyParts): Policy {
  const { mistakes, round, scopes, ...limits } = parts.limits
  const { budget = {}, ...escape } = parts.escape
  const { rules = [], defaults = true, recurring } = parts.failures
  return {
    mode: parts.mode ?? policy.mode,
    detect: layDetect(policy.detect, parts.detect, mistakes),
    retry: { ...policy.retry, ...defined(parts.retry) },
    breaker: { ...policy.breaker, ...defined(parts.breaker) },
    limits: {
      ...policy.limits,
      ...defined(limits),
      ...(round ? { round: { ...policy.limits.round, ...defined(round) } } : {}),
      ...(scopes ? { scopes: scopesOf(scopes) } : {}),
    },
    escape: {
      ...policy.escape,
      ...defined(escape),
      budget: {
        rethink: { ...policy.escape.budget.rethink, ...defined(budget.rethink ?? {}) },
        alternative: { ...policy.escape.budget.alternative, ...defined(budget.alternative ?? {}) },
        rollback: { ...policy.escape.budget.rollback, ...defined(budget.rollback ?? {}) },
        review: { ...policy.escape.budget.review, ...defined(budget.review ?? {}) },
      },
    },
    rounds: { ...policy.rounds, ...defined(parts.rounds) },
    confirm: { ...policy.confirm, ...parts.confirm },
    failures: [...rules, ...(defaults ? policy.failures : [])] as Policy['failures'],
    recurring: recurring ?? policy.recurring,
  }
}

function layDetect(
  detect: DetectPolicy,
  {
    tools = {},
    nodes = {},
    ignore = [],
    window,
    visits,
    degenerateOutput,
    ...others
  }: PolicyParts['detect'],
  mistakes: number | undefined,
): DetectPolicy {
  const [shipped, own] = [true, false].map(ships =>
    Object.fromEntries(
      Object.entries(others).filter(([name]) => DETECTOR_NAMES.includes(name) === ships),
    ),
  )
  return {
    ...detect,
    ...defined(shipped as typeof others),
    own: { ...detect.own, ...(own as DetectPolicy['own']) },
    ...(mistakes === undefined ? {} : { mistakes: { limit: mistakes } }),
    ...(visits === undefined
      ? {}
      : {
          visits:
            visits === false ? false : { ...visits, ...(window === undefined ? {} : { window }) },
        }),
    ...(degenerateOutput === undefined ? {} : { degenerateOutput }),
    tools: withAllOff(tools),
    nodes: withAllOff(nodes),
    ignore: ignore.map(path => path.replace(/^context\./, '')),
  }
}

/** A scope that a change adds without a key is shared by all threads that name it. */
function scopesOf(scopes: NonNullable<PolicyParts['limits']['scopes']>): Scopes {
  return Object.fromEntries(
    Object.entries(scopes).map(([name, { key = name, ...scope }]) => [
      name,
      { ...defined(scope), key } as ScopeLimits,
    ]),
  )
}

const ALL_OFF: DetectorSettings = {
  sequence: false,
  repetition: false,
  recurrence: false,
  visits: false,
  stale: false,
  errors: false,
  noToolCall: false,
  repeatedText: false,
  mistakes: false,
}

type Tuning = Partial<{
  [N in keyof (DetectorSettings & ToolHints)]: (DetectorSettings & ToolHints)[N] | undefined
}>

function withAllOff(by: Readonly<Record<string, false | Tuning>>): DetectPolicy['tools'] {
  return Object.fromEntries(
    Object.entries(by).map(([name, tuning]) => [
      name,
      tuning === false ? ALL_OFF : (defined(tuning) as Partial<DetectorSettings & ToolHints>),
    ]),
  )
}

/** A policy in the notation of a spec, durations in ms: `policyWith(POLICY, …)` of it is the policy again. */
export function partsOf({
  failures,
  recurring,
  detect: { own, ...detect },
  ...parts
}: Policy): Readonly<Record<string, Json>> {
  const defaults = POLICY.failures.every(
    (rule, index) => rule.id === failures[failures.length - POLICY.failures.length + index]?.id,
  )
  const rules = defaults ? failures.slice(0, failures.length - POLICY.failures.length) : failures
  return {
    ...parts,
    detect: { ...detect, ...own },
    failures: { rules, defaults, recurring },
  } as unknown as Readonly<Record<string, Json>>
}
=======
>>>>>>> 83fc6718bc0acfd280015fb3cd0839df70922b2a
