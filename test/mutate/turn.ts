/** Each worker takes the next item when it is free. */
export async function inTurn<W, T>(
  workers: readonly W[],
  items: readonly T[],
  work: (worker: W, item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  await Promise.all(
    workers.map(async worker => {
      for (const item of rest) await work(worker, item)
    }),
  )
}
