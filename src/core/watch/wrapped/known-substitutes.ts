/** The substitutes that an agent has. Its tools may become known after its watch is created. */

type Table = Readonly<Record<string, string>>

export interface KnownSubstitutes {
  /** For the options of a watchdog. It grows with the known tools. */
  readonly substitutes: Table
  /** Notes tools that the agent has and the integration can call. */
  add(tools: readonly string[]): void
}

/** A substitute that no agent has is ignored: it could not answer, and its tool would not be hidden. */
export function knownSubstitutes(given: Table = {}): KnownSubstitutes {
  const substitutes: Record<string, string> = {}
  return {
    substitutes,
    add(tools) {
      for (const [tool, by] of Object.entries(given)) if (tools.includes(by)) substitutes[tool] = by
    },
  }
}
