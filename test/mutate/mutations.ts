/** The places of a source file that can be mutated, and the change at each. */
import { parseAst } from 'vitest/node'

/** How the change is applied: it replaces an expression, leaves out a statement, or begins a function with a return. */
type Form = 'expression' | 'statement' | 'return'

export interface Mutation {
  readonly file: string
  readonly form: Form
  readonly start: number
  readonly end: number
  /** What stands there instead. */
  readonly text: string
}

/** A node of ESTree. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}
const CODE = /^[a-z][\w.-]*$/i

/** Text for people: descriptions of keys and messages of errors. */
const PROSE = /\.(describe|meta)\(|^(throw|new \w*(Error|Invalid\w*)\b)/

export function mutationsIn(file: string, source: string): readonly Mutation[] {
  const mutations: Mutation[] = []
  const textOf = (node: Node) => source.slice(node.start, node.end)
  const isProse = (node: Node) =>
    node.type === 'CallExpression'
      ? /\.(describe|meta)$/.test(textOf(node.callee as Node))
      : PROSE.test(textOf(node).slice(0, 40)) && /^(Throw|New)/.test(node.type)
  /** An expression that begins a statement cannot be put into parentheses: the lines have no semicolons. */
  const begins = new Set<number>()

  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, undefined, '')
  return mutations

  function visit(node: Node, parent: Node | undefined, key: string): void {
    if (node.type === 'ExpressionStatement') begins.add(node.start)
    for (const mutation of changesOf(node, parent, key))
      if (mutation.form !== 'expression' || !begins.has(mutation.start))
        mutations.push({ file, ...mutation })
    if (isLeftOut(node)) return
    for (const [name, child] of Object.entries(node))
      for (const each of Array.isArray(child) ? child : [child])
        if (isNode(each) && !isLeftOut(each)) visit(each, node, name)
  }

  function isLeftOut(node: Node): boolean {
    if (/^TS(As|Satisfies|NonNull)/.test(node.type)) return false
    return (
      /^(TS|Import|ExportAll|TemplateLiteral)/.test(node.type) ||
      (node.type !== 'ExpressionStatement' && isProse(node) && node.type !== 'CallExpression')
    )
  }

  function changesOf(
    node: Node,
    parent: Node | undefined,
    key: string,
  ): readonly Omit<Mutation, 'file'>[] {
    const expression = (at: Node, text: string) =>
      ({ ...placeOf(at), form: 'expression', text }) as const
    const operator = OPERATORS[String(node.operator)]
    const test = node.test as Node | null
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const [left, right] = [node.left as Node, node.right as Node]
        return operator === undefined
          ? []
          : [expression(node, `(${textOf(left)}) ${operator} (${textOf(right)})`)]
      }
      case 'UnaryExpression':
        return node.operator === '!' ? [expression(node, textOf(node.argument as Node))] : []
      case 'IfStatement':
      case 'ConditionalExpression': {
        const negated = test && !/^Unary/.test(test.type) && !/[!=]==/.test(String(test.operator))
        const changes = negated ? [expression(test, `!(${textOf(test)})`)] : []
        const jump = /^(Return|Continue|Break)/.test((node.consequent as Node).type)
        return jump && !node.alternate ? [...changes, leftOut(node)] : changes
      }
      case 'Literal':
        return literal(node, parent, key).map(text => expression(node, text))
      case 'ArrayExpression':
        return (node.elements as unknown[]).length > 0 ? [expression(node, '[]')] : []
      case 'SpreadElement':
        return [
          expression(node.argument as Node, parent?.type === 'ObjectExpression' ? '{}' : '[]'),
        ]
      case 'ExpressionStatement':
        return isProse(node.expression as Node) ? [] : [leftOut(node)]
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return early(node, parent).map(at => ({ ...at, text: 'undefined' }))
      default:
        return []
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

const placeOf = ({ start, end }: Node) => ({ start, end })
const leftOut = (node: Node) => ({ ...placeOf(node), form: 'statement', text: '{}' }) as const

function literal({ value }: Node, parent: Node | undefined, key: string): readonly string[] {
  if (key === 'key' && parent?.computed !== true) return []
  if (typeof value === 'boolean') return [String(!value)]
  if (typeof value === 'number') return [String(value === 1 ? 0 : value + 1)]
  return typeof value === 'string' && CODE.test(value) ? ["'mutated'"] : []
}

/** Where a function returns before it did anything. */
function early(node: Node, parent: Node | undefined) {
  const body = node.body as Node | null
  if (!body || parent?.kind === 'constructor') return []
  if (body.type !== 'BlockStatement') return [{ ...placeOf(body), form: 'expression' } as const]
  const place = { start: body.start + 1, end: body.start + 1 }
  return (body.body as unknown[]).length > 0 ? [{ ...place, form: 'return' } as const] : []
}

/** The source with one mutation. */
export function mutatedSource(source: string, { form, start, end, text }: Mutation): string {
  const change =
    form === 'return' ? ' return undefined;' : form === 'expression' ? `(${text})` : text
  return source.slice(0, start) + change + source.slice(end)
}

/** The source with all mutations, each behind a switch `mutated(id)`. */
export function switchedSource(
  source: string,
  mutations: readonly (Mutation & { readonly id: number })[],
): string {
  const outerFirst = [...mutations].sort((one, other) => other.end - one.end || one.id - other.id)
  const opening = new Map<number, string>()
  const closing = new Map<number, string>()
  for (const { id, form, start, end, text } of outerFirst.toSorted(
    (one, other) => one.start - other.start,
  )) {
    const before = {
      expression: `(mutated(${id}) ? (${text}) : (`,
      statement: `if (mutated(${id})) {} else `,
      return: ` if (mutated(${id})) return undefined; `,
    }[form]
    opening.set(start, (opening.get(start) ?? '') + before)
    if (form === 'expression') closing.set(end, `))${closing.get(end) ?? ''}`)
  }
  const places = [...new Set([0, ...opening.keys(), ...closing.keys()])].sort(
    (one, other) => one - other,
  )
  return places
    .map((place, index) => {
      const piece = source.slice(place, places[index + 1])
      return `${closing.get(place) ?? ''}${opening.get(place) ?? ''}${piece}`
    })
    .join('')
}
