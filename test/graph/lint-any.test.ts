import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Spec, isFinal, outcomeEdges } from '../../src/core/graph/spec/spec.ts'
import { lint } from '../../src/core/graph/lint/lint.ts'
import { anySpec, NAMES } from './any-spec.ts'

/** Whether a final can be reached from this node, over any edge that is not a cancellation, or by a person's word. */
function endsFrom(of: Spec, start: string): boolean {
  const names = Object.keys(of.nodes)
  const seen = new Set([start])
  for (const name of seen) {
    const node = of.nodes[name]
    if (!node || isFinal(node)) return true
    for (const [outcome, to] of outcomeEdges(node)) if (outcome !== 'cancelled') seen.add(to)
    for (const to of of.escape.alternatives?.[name] ?? []) seen.add(to)
    if (of.escape.review)
      for (const to of names) if (!isFinal(of.nodes[to] ?? { final: 'success' })) seen.add(to)
  }
  return false
}

describe('any graph', () => {
  it('is linted without an error, with the same result twice', () => {
    fc.assert(
      fc.property(anySpec, spec => {
        expect(lint(spec)).toEqual(lint(spec))
      }),
      { numRuns: 300 },
    )
  })

  it('reaches an end from every node if lint finds no dead end and no cycle without an exit', () => {
    let sound = 0
    fc.assert(
      fc.property(anySpec, spec => {
        const wrong = lint(spec).some(
          ({ rule, severity }) =>
            severity === 'error' && (rule === 'dead-end' || rule === 'cycle-without-exit'),
        )
        if (wrong) return
        sound += 1
        for (const name of Object.keys(spec.nodes))
          expect(endsFrom(spec, name), `from ${name}`).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    expect(sound).toBeGreaterThan(100)
  })

  it('has a finding if a node cannot reach an end', () => {
    fc.assert(
      fc.property(anySpec, spec => {
        if (Object.keys(spec.nodes).every(name => endsFrom(spec, name))) return
        expect(
          lint(spec).filter(({ rule }) => rule === 'dead-end' || rule === 'cycle-without-exit'),
        ).not.toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('has no cycle without an exit after adding the alternatives that lint suggests', () => {
    fc.assert(
      fc.property(anySpec, spec => {
        const { ladder: _, ...escape } = spec.escape
        const mended = mend({ ...spec, escape })
        expect(lint(mended).filter(({ rule }) => rule === 'cycle-without-exit')).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

/** Each round adds at least one alternative, so the number of nodes bounds the rounds. */
function mend(of: Spec, rounds = NAMES.length): Spec {
  const held = lint(of).flatMap(({ rule, path }) =>
    rule === 'cycle-without-exit' ? [path.slice('nodes.'.length)] : [],
  )
  if (held.length === 0 || rounds === 0) return of
  const alternatives = {
    ...of.escape.alternatives,
    ...Object.fromEntries(held.map(name => [name, ['E']])),
  }
  return mend({ ...of, escape: { ...of.escape, alternatives } }, rounds - 1)
}
