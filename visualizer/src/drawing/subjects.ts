/** The tools and models that a node of a spec uses: their breakers light up on it. */
export function subjectsIn(spec: unknown): ReadonlyMap<string, readonly string[]> {
  const { nodes = {}, tools = {} } = (spec ?? {}) as {
    nodes?: Readonly<Record<string, NodeSpec>>
    tools?: Readonly<Record<string, unknown>>
  }
  const all = Object.keys(tools)
  const entries = Object.entries(nodes).map(([name, { use, model, tool }]) => {
    const subjects = [model, tool].filter(each => typeof each === 'string')
    return [name, use === 'tools' ? all : subjects] as const
  })
  return new Map(entries)
}

interface NodeSpec {
  readonly use?: string
  readonly model?: string
  readonly tool?: string
}
