/** The agent both houses run: plan → act → observe → check, one tool call and one message of 500 bytes a lap. */

/** Nodes a lap enters. */
export const LAP = 4

/** Bytes of the message that each lap adds. */
const MESSAGE = 500

export function messageOf(lap: number): string {
  return `The answer of lap ${lap}: `.padEnd(MESSAGE, 'so it goes on and on. ')
}

/** What the tool does; a new question gets a new answer, as in a healthy run. */
export async function lookUp({ q }: { q: string }): Promise<string> {
  return `what is known about ${q}`
}

export function questionOf(lap: number): string {
  return `question ${lap}`
}
