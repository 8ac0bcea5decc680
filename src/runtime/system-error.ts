/** Errors of the operating system, as a message about a path. */

/** What the system says about a file that cannot be read. `undefined`: the error has another cause. */
export function unreadable(error: unknown): string | undefined {
  const { syscall, message = '' } = error as { syscall?: string; message?: string }
  if (syscall === undefined) return undefined
  // `ENOTDIR: not a directory, open 'file/x'`: the message names the path itself.
  const [reason] = message.split(`, ${syscall}`)
  return `cannot be read: ${reason}`
}
