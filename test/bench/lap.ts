/** The agent that both libraries run: plan → act → observe → check, one tool call a lap, and messages of 500 bytes. */

/** Nodes a lap enters. */
export const LAP = 4

/** The number of laps, and whether each step or one step per lap adds a message. */
export interface Length {
  readonly laps: number
  readonly messages: 'each lap' | 'each step'
}

/** Bytes of a message. */
const MESSAGE = 500

export function messageOf(lap: number): string {
  return `The answer of lap ${lap}: `.padEnd(MESSAGE, 'so it goes on and on. ')
}

const WORDS = 'amber birch cedar delta ember fjord grove heron islet jetty'.split(' ')

/** What the tool does; a new question gets a new answer that does not quote it, as in a healthy run. */
export async function lookUp({ q }: { q: string }): Promise<string> {
  return `what is known: ${q.replaceAll(/\D/g, '').replaceAll(/./g, digit => `${WORDS[Number(digit)]} `)}`
}

export function questionOf(lap: number): string {
  return `question ${lap}`
}
