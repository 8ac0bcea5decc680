/** XState as a host: an actor drives and shows each thread. Each drive is another program, with the snapshot that the last one persisted. */
import { expect } from 'vitest'
import type { Snapshot } from 'xstate'
import { parentIn } from '../../src/core/watch/data/thread-name.ts'
import { defined } from '../../src/core/watch/data/json.ts'
import { runtimeOn } from '../../src/host/runtime.ts'
import { drive, type DriveOptions } from '../../src/runtime/drive/drive.ts'
import type { Ports } from '../../src/runtime/ports.ts'
import { type Host, pathOf } from '../suites/host.ts'
import { driveByActor } from './actor-drive.ts'

export const xstateHost: Host = {
  name: 'XState',
  different: {
    'run-unattended.story': 'an actor follows its thread, which is therefore attended',
    'run-unattended-acts.story': 'an actor follows its thread, which is therefore attended',
  },
  open() {
    const kept = new Map<string, Snapshot<unknown>>()
    const path = new Map<string, string[]>()
    const carry = async (ports: Ports, thread: string, { start }: DriveOptions = {}) => {
      // An actor also drives the parent of its thread.
      if (parentIn(thread) !== undefined) return drive(ports, thread)
      const runtime = runtimeOf(ports)
      try {
        const { run, shown } = await driveByActor(runtime, thread, {
          graph: ports.graph,
          ...defined({ start, snapshot: kept.get(thread) }),
          keep: snapshot => (snapshot ? kept.set(thread, snapshot) : kept.delete(thread)),
          onRow: row => path.set(thread, [...(path.get(thread) ?? []), ...pathOf([row])]),
        })
        if (run.seq === shown.seq) expect(shown).toEqual(run)
        return run
      } finally {
        await runtime.close()
      }
    }
    return { drive: carry, path }
  },
}

/** A runtime with the ports of a story. */
export function runtimeOf(ports: Ports) {
  const { store, graph, clock, gate } = ports
  const options = { store, graphs: [graph], clock, gate }
  return runtimeOn(options, ({ live, ...of }) => ({ ...of, ...ports, ...defined({ live }) }))
}
