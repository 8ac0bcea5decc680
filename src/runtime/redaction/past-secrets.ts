/**
 * The latest secrets that a process no longer uses.
 *
 * Each pattern searches each text, and a secret may be replaced every minute: with a pattern for each secret the search would be slow,
 * and with one for all of them the change. Blocks of a few secrets are compiled together, and a change compiles only the last block.
 */
import { patternsOf } from './known-values.ts'

/** So many are kept, at least. */
const SECRETS = 100
/** Or so many characters of them together. A pattern takes more than a kilobyte for each. */
const LENGTH = 8_192
/** Characters of the secrets in a block. */
const BLOCK_MAX = 256

interface Block {
  readonly secrets: Set<string>
  /** `undefined` after a change. */
  patterns: readonly RegExp[] | undefined
}

export class PastSecrets {
  /** The oldest first. */
  #blocks: Block[] = []

  get values(): readonly string[] {
    return this.#blocks.flatMap(({ secrets }) => [...secrets])
  }

  add(secret: string): void {
    const last = this.#blocks.at(-1)
    if (last && lengthOf([last]) + secret.length <= BLOCK_MAX) {
      last.secrets.add(secret)
      last.patterns = undefined
    } else this.#blocks.push({ secrets: new Set([secret]), patterns: undefined })
    while (isEnough(this.#blocks.slice(1))) this.#blocks.shift()
  }

  delete(secret: string): void {
    for (const block of this.#blocks) if (block.secrets.delete(secret)) block.patterns = undefined
    this.#blocks = this.#blocks.filter(({ secrets }) => secrets.size > 0)
  }

  /** Compiles the blocks that have changed since the last time. */
  patterns(): readonly RegExp[] {
    return this.#blocks.flatMap(block => (block.patterns ??= patternsOf([...block.secrets])))
  }
}

const isEnough = (blocks: readonly Block[]): boolean =>
  lengthOf(blocks) >= LENGTH ||
  blocks.reduce((sum, { secrets }) => sum + secrets.size, 0) >= SECRETS

const lengthOf = (blocks: readonly Block[]): number =>
  blocks.flatMap(({ secrets }) => [...secrets]).reduce((sum, secret) => sum + secret.length, 0)
