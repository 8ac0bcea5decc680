/**
 * Has calls of `work` wait for the call in progress, and share one call that follows it. A slow store therefore has one heartbeat of a
 * thread at a time, and a caller still sees everything that was stored before its call.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  const run = () => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  const follow = () => {
    following = undefined
    return run()
  }
  return () => {
    if (!running) return run()
    following ??= running.then(follow, follow)
    return following
  }
}
