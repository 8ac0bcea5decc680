/** Without the keys that hold nothing, so that they do not hide what they are laid over. */
export function defined<T extends object>(part: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
