/** An expression costs the same and has the same result at each evaluation: a replay in another process decides as the run did. */
import { expect, test } from 'vitest'
import { whenCompiler } from '../../src/core/graph/cel/when.ts'

const VALUES = {
  b: true,
  i: 1,
  s: 'a'.repeat(50_000),
  l: Array.from({ length: 50 }, (_, at) => at),
}
const NAMES = Object.keys(VALUES)
const read = (name: string) => VALUES[name as keyof typeof VALUES]

const evaluate = (text: string, cost: number) => {
  const { evaluate: run, fault } = whenCompiler(NAMES, { cost })(text)
  if (!run) throw new Error(fault)
  return () => {
    try {
      return run(read)
    } catch (error) {
      return (error as Error).message
    }
  }
}

test.each([
  'size(s + s) > 2',
  '!b || s + s + s == s',
  'l.map(x, s + s).size() > 5',
  'l.exists(x, l.exists(y, x + y == 97))',
  'cel.bind(t, s + s, size(t) > 2) ? l.all(x, x < 50) : b',
  '[s, s, s].filter(x, x == s).size() == 3 && has(l.size) == false',
  "s.matches('a+b') || {'k': [i, i]}.k[0] == 1",
])('%s fails at the same limits from its first evaluation on', text => {
  // Limits between half of the cost and the cost held at later evaluations only.
  for (let cost = 8; cost < 1_000_000; cost *= 1.25) {
    const run = evaluate(text, cost)
    const first = run()
    expect([run(), run()], `limit ${cost}`).toEqual([first, first])
  }
})

const SHAPES = {
  not: (n: number) => `${'!'.repeat(n)}b`,
  or: (n: number) => `${'b || '.repeat(n)}b`,
  and: (n: number) => `${'b && '.repeat(n)}b`,
  plus: (n: number) => `${'i + '.repeat(n)}i > 2`,
}

test.each(Object.entries(SHAPES))(
  '%s is refused beyond 500 levels, when it is compiled',
  (_, of) => {
    expect(whenCompiler(NAMES)(of(600)).fault).toMatch(/^CEL: is nested too deep in /)
    expect(evaluate(of(480), 1_000_000)()).toBe(true)
  },
)

test.each([
  ...Object.values(SHAPES).map(of => of(490)),
  // The most frames of the stack at each level that the parser permits, and the most levels of one.
  `${`${'!'.repeat(2)}[b].exists(x, `.repeat(120)}${'!'.repeat(100)}b${')'.repeat(120)}`,
  `${'cel.bind(x, b, '.repeat(120)}${'!'.repeat(240)}b${')'.repeat(120)}`,
  `${'[b].map(x, '.repeat(120)}${'!'.repeat(240)}b${')'.repeat(120)} == [b] || b`,
])('%.20s… of the most levels needs little of the stack', text => {
  const run = evaluate(text, 1_000_000)
  const first = withStackUsed(0.5, run)
  expect(typeof first).not.toBe('string')
  expect(run()).toBe(first)
})

/** Calls a function while a part of the stack is used. */
function withStackUsed<T>(part: number, call: () => T): T {
  const depth = Math.floor(stackDepth() * part)
  const dive = (level: number): T => (level === 0 ? call() : dive(level - 1))
  return dive(depth)
}

function stackDepth(): number {
  let depth = 0
  const dive = (): void => {
    depth++
    dive()
  }
  try {
    dive()
  } catch {
    // The stack is full.
  }
  return depth
}
