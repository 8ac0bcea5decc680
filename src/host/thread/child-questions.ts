/** Questions of children. A parent lists them, and only the child that asks takes the answer. */
import { questionsOf } from '../../core/run/view.ts'
import { childrenOf } from '../drive/children.ts'
import type { Settled } from '../drive/command.ts'
import type { Host } from '../drive/host.ts'

/** The refusal of an answer to an unknown question, with the children that ask it. */
export async function withAskers(
  host: Host,
  of: { readonly thread: string; readonly question: string },
  settled: Settled,
): Promise<Settled> {
  if (settled.applied || settled.code !== 'unknown-question') return settled
  const { run } = await host.runOf(of.thread)
  // If another process has the graph of a child, none is named.
  const children = await childrenOf(run, child => host.runOf(child)).catch(() => [])
  const asking = children.filter(child =>
    questionsOf(child.run).some(({ id }) => id === of.question),
  )
  if (asking.length === 0) return settled
  const names = asking.map(({ thread }) => `'${thread}'`).join(', ')
  return { ...settled, because: `${settled.because}; answer it in its own thread: ${names}` }
}
