/** A machine in SCXML, the notation of statecharts of the W3C. Effects are messages, guards are conditions on the event. */
import { isMap } from '../../watch/data/json.ts'
import type { Config } from '../compile.ts'
import { EFFECTS } from '../chart.ts'
import {
  type ActionPart,
  type EdgePart,
  type GuardPart,
  partsOf,
  type StatePart,
} from './config.ts'
import { indent } from './outline.ts'

/**
 * The data of a thread stays in the runtime: the document has states, events, conditions and requested effects. Outcomes such as
 * `error.transient` have the name `failure.transient`.
 * @example escapement draw graphs/ring.yaml --as scxml > ring.scxml
 */
export function drawScxml(config: Config): string {
  const root = partsOf(config)
  const names = namesOf(root)
  const { initial } = root
  const first = root.states.find(([key]) => key === initial)?.[1]
  const attributes = {
    xmlns: 'http://www.w3.org/2005/07/scxml',
    version: '1.0',
    datamodel: 'ecmascript',
    name: root.id,
    initial: first && names.idOf(first.id),
  }
  const inner = root.states.flatMap(([, state]) => stateLines(state, names))
  // SCXML allows no transitions at its root.
  const edges = transitionsOf(root, names)
  const body =
    edges.length === 0
      ? inner
      : element('state', { id: names.idOf(root.id), initial: attributes.initial }, [
          ...edges,
          ...inner,
        ])
  const outer = { ...attributes, ...(edges.length > 0 && { initial: names.idOf(root.id) }) }
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...element('scxml', outer, body), ''].join('\n')
}

interface Names {
  /** An id that XML allows, unique in the document. */
  readonly idOf: (state: string) => string
  /** The state that a target of the config names, seen from a state. */
  readonly targetOf: (target: string, from: string) => string
}

/** The ids of the states, and the meaning of targets: `#id`, `.child` or the key of a sibling. */
function namesOf(root: StatePart): Names {
  const ids = new Map<string, string>()
  const places = new Map<string, { readonly state: StatePart; readonly parent?: StatePart }>()
  const taken = new Set<string>()
  const visit = (state: StatePart, parent?: StatePart) => {
    // Readers cut `done.state.ID` at its dots.
    const plain = state.id.replaceAll(/[^\p{L}\p{N}_-]/gu, '_').replace(/^[^\p{L}_]/u, '_$&')
    let id = plain
    for (let nth = 2; taken.has(id); nth += 1) id = `${plain}_${nth}`
    taken.add(id)
    ids.set(state.id, id)
    places.set(state.id, parent ? { state, parent } : { state })
    for (const [, inner] of state.states) visit(inner, state)
  }
  visit(root)
  const childOf = (state: StatePart | undefined, path: readonly string[]): StatePart | undefined =>
    path.reduce<StatePart | undefined>(
      (at, key) => at?.states.find(([name]) => name === key)?.[1],
      state,
    )
  const idOf = (state: string) => ids.get(state) ?? state
  return {
    idOf,
    targetOf(target, from) {
      const name = target.slice(1)
      const place = places.get(from)
      if (target.startsWith('.')) return idOf(childOf(place?.state, name.split('.'))?.id ?? target)
      if (!target.startsWith('#'))
        return idOf(childOf(place?.parent ?? root, target.split('.'))?.id ?? target)
      if (ids.has(name)) return idOf(name)
      // `#id.child` goes on from a state with an id.
      const cut = [...ids.keys()]
        .filter(id => name.startsWith(`${id}.`))
        .toSorted((a, b) => b.length - a.length)[0]
      const inner = cut && childOf(places.get(cut)?.state, name.slice(cut.length + 1).split('.'))
      return idOf(inner ? inner.id : name)
    },
  }
}

function stateLines(state: StatePart, names: Names): readonly string[] {
  const { id, type, initial, states } = state
  const first = states.find(([key]) => key === initial)?.[1]
  const inner = [
    ...state.entry.flatMap(effectLines),
    ...transitionsOf(state, names),
    ...states.flatMap(([, child]) => stateLines(child, names)),
  ]
  const tag = type === 'parallel' ? 'parallel' : type === 'final' ? 'final' : 'state'
  return element(tag, { id: names.idOf(id), initial: first && names.idOf(first.id) }, inner)
}

/** An effect is a message to the runtime. Other actions have no meaning outside of their statechart. */
function effectLines({ type, params }: ActionPart): readonly string[] {
  if (!EFFECTS.has(type)) return []
  const values = Object.entries(isMap(params) ? params : {}).flatMap(([name, value]) =>
    element('param', { name, expr: JSON.stringify(value) }, []),
  )
  const message = { event: type, type: 'escapement', target: 'escapement' }
  return element('onentry', {}, element('send', message, values))
}

/** In the order in which SCXML tests them: descriptors match by prefix, so the longest comes first. */
function transitionsOf({ id, on, always, onDone }: StatePart, names: Names): readonly string[] {
  const longest = on.toSorted(([a], [b]) => lengthOf(b) - lengthOf(a))
  const lines = (edges: readonly EdgePart[], name?: string) =>
    edges.flatMap(({ target, guard, reenter }) => {
      const to = target === undefined ? undefined : names.targetOf(target, id)
      const isInside = target?.startsWith('.') === true && !reenter
      const attributes = {
        // SCXML reserves the names that begin with `error` for its own platform.
        event: name?.replace(/^error\b/, 'failure'),
        cond: guard && conditionOf(guard, names),
        target: to,
        type: isInside ? 'internal' : undefined,
      }
      return element('transition', attributes, [])
    })
  return [
    ...longest.flatMap(([event, edges]) => lines(edges, event)),
    ...lines(onDone, `done.state.${names.idOf(id)}`),
    ...lines(always),
  ]
}

const lengthOf = (event: string): number =>
  event === '*' ? 0 : event.replace(/\.\*$/, '').split('.').length

function conditionOf(guard: GuardPart, names: Names): string {
  if (guard.kind === 'in') return `In('${names.idOf(String(guard.state).replace(/^#/, ''))}')`
  if (guard.kind === 'named') return namedCondition(guard.type, guard.params)
  const [only] = guard.guards
  if (only && guard.kind !== 'not' && guard.guards.length === 1) return conditionOf(only, names)
  const inner = guard.guards.map(part => `(${conditionOf(part, names)})`)
  if (guard.kind === 'not') return `!${inner.join('')}`
  return inner.join(guard.kind === 'and' ? ' && ' : ' || ')
}

function namedCondition(type: string, params: unknown): string {
  const given = (isMap(params) ? params : {}) as Readonly<Record<string, unknown>>
  const equals = (field: string) => `_event.data.${field} == ${JSON.stringify(given[field])}`
  if (type === 'mine') return `_event.data.region == "" || ${equals('region')}`
  if (type === 'to') return equals('to')
  if (type !== 'route') return `${type.replaceAll(/[^\w$]/g, '_')}()`
  return ['rung', 'to', 'region']
    .filter(field => given[field] !== undefined)
    .map(equals)
    .join(' && ')
}

type Attributes = Readonly<Record<string, string | undefined>>

function element(tag: string, attributes: Attributes, inner: readonly string[]): readonly string[] {
  const given = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : ` ${name}="${escaped(value)}"`,
  )
  const open = `<${tag}${given.join('')}`
  if (inner.length === 0) return [`${open}/>`]
  return [`${open}>`, ...inner.map(line => indent(1, line)), `</${tag}>`]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"\n]/g, found => ENTITIES[found] ?? '')
