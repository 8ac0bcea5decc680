/** The identity of this process as the owner of leases and writes, and whether another owner has ended. */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * `host/pid/namespace/start/nonce`. A pid names a process only within its PID namespace and until the process ends: two
 * containers may share a volume and a host name.
 */
export const OWNER = [
  hostname(),
  process.pid,
  namespaceOf(),
  stateOf(process.pid)?.start ?? '',
  randomUUID().slice(0, 8),
].join('/')

/** Whether an owner is certainly a process of this machine and PID namespace that ended. */
export function isDead(owner: string): boolean {
  const [host, pid, namespace, start] = owner.split('/')
  const [ownHost, , ownNamespace] = OWNER.split('/')
  if (host !== ownHost || namespace !== ownNamespace) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if ((error as { code?: string }).code === 'ESRCH') return true
  }
  const current = stateOf(Number(pid))
  // Another process may have the pid now, and a zombie waits for its parent only.
  return start !== '' && current !== undefined && (current.isZombie || current.start !== start)
}

/** The boot of the kernel and the PID namespace, hashed. Empty outside of Linux, where pids are those of the machine. */
function namespaceOf(): string {
  if (process.platform !== 'linux') return ''
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    const names = `${boot.trim()} ${readlinkSync('/proc/self/ns/pid')}`
    return createHash('sha256').update(names).digest('hex').slice(0, 12)
  } catch {
    // Without these names, no other owner is known to have ended.
    return randomUUID()
  }
}

/** When a process started, in ticks since the boot of the kernel, and whether it has ended but keeps its pid. */
function stateOf(pid: number): { readonly start: string; readonly isZombie: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name of the program, in parentheses, and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { start: fields[19] ?? '', isZombie: fields[0] === 'Z' || fields[0] === 'X' }
  } catch {
    return undefined
  }
}
