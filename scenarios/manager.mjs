/** A fake office: a desk, and a manager who answers questions between two orders. */

/** The interface of a tool. A scenario replaces what it does. */
const toolOf = (name, description, more = {}) => ({
  name,
  description,
  parameters: { type: 'object', properties: {} },
  effects: 'read',
  idempotent: true,
  timeout: 10_000,
  parse: args => args,
  execute: async () => {
    throw new Error(`${name} needs a scenario with \`system: ./manager.mjs#office\``)
  },
  ...more,
})

export const rules = toolOf('rules', 'Reads the rules of the desk.')
export const decide = toolOf('decide', 'Decides the order.')
/** The manager is the parent thread: `manager/hand#1/1` waits for `manager`. */
export const askManager = toolOf('ask_manager', 'Asks the manager, and waits for the answer.', {
  waitsFor: (_, thread) => thread.slice(0, thread.indexOf('/hand#')),
})

export function office() {
  let decided = 0
  return {
    tools: {
      rules: async (_, call) => {
        await call.sleep(500)
        return { unclear: false }
      },
      // The manager is free once the desk has decided.
      ask_manager: async (_, call) => {
        while (decided === 0) await call.sleep(1_000)
        return { answer: 'accept it' }
      },
      decide: async (_, call) => {
        await call.sleep(500)
        decided += 1
        return { decision: 'accepted' }
      },
    },
    progress: () => decided,
    correct: ({ decision }) => decision === 'accepted',
    facts: () => ({ decided }),
  }
}
