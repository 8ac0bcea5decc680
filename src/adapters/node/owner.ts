import { hostname } from 'node:os'

/** Surely gone: a process of this machine whose number nobody has any more. */
export function isDead(owner: string): boolean {
  const [host, pid] = owner.split('/')
  if (host !== hostname()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH'
  }
}
