/** A file in one piece: it is there whole, or not at all. */
import { rename, rm } from 'node:fs/promises'

/** `write` writes another file, which takes this one's place when it is complete. */
export async function writeAtomically(
  file: string,
  write: (part: string) => Promise<void>,
): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    await write(part)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
