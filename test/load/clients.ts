/** Clients of the load. */

/** A client of a stream. */
export interface Client {
  readonly opened: Promise<void>
  readonly firstBatch: Promise<void>
  readonly ended: Promise<void>
  /** The events in the order of their arrival. */
  readonly seqs: readonly number[]
}

/** Reads a stream to its end. A broken connection ends it. */
export function openStream(url: string): Client {
  const seqs: number[] = []
  const [opened, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const read = async () => {
    const response = await fetch(url)
    opened.resolve()
    if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`)
    let buffer = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (buffer + chunk).split('\n\n')
      buffer = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (!block.includes('event: batch') || data === undefined) continue
        const { events } = JSON.parse(data) as { events: readonly { type: string; seq: number }[] }
        for (const { type, seq } of events) if (type !== 'token') seqs.push(seq)
        first.resolve()
      }
    }
  }
  const ended = read()
  ended.catch(opened.reject)
  ended.catch(first.reject)
  opened.promise.catch(() => {})
  first.promise.catch(() => {})
  return { opened: opened.promise, firstBatch: first.promise, ended, seqs }
}

export async function post(url: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

// biome-ignore lint/suspicious/noExplicitAny: the answer is any JSON.
export const readJson = async (url: string): Promise<any> => (await fetch(url)).json()

/** Answers the question of the thread that all idle clients read. */
export async function answerIdle(url: string): Promise<void> {
  const { questions } = await readJson(`${url}/v1/threads/idle`)
  await post(`${url}/v1/threads/idle/commands`, {
    do: 'answer',
    question: questions[0].id,
    decision: 'approved',
  })
}

/** In ms, with one decimal; of times per step with three. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return Number(value.toFixed(value < 10 ? 3 : 1))
}
