/** The time of the processor that some work takes, in ms. Other processes do not lengthen it. */
export function processorTime(work: () => unknown): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}
