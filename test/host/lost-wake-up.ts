/** A child that ends without waking its parent. */
import { expect } from 'vitest'
import { nodePorts, systemClock } from '../../src/adapters/node/ports.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import type { asking } from './graphs.ts'

export const CHILD = 'root/child#1/1'

/** A store that loses the commands of one type. */
function losing(store: Store, type: string): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'submit')
        return async (...args: Parameters<Store['submit']>) =>
          args[2].type === type ? undefined : target.submit(...args)
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Ends the child without waking its parent. */
export async function loseWakeUp(
  store: Store,
  child: ReturnType<typeof asking>,
  clock = systemClock,
  name = CHILD,
) {
  await store.submit(name, 'c1', { type: 'resume', effect: 'ask#1', decision: 'approved' })
  await drive(nodePorts({ graph: child, store: losing(store, 'child.ended'), clock }), name)
  expect(await store.thread(name)).toMatchObject({ status: 'ended' })
}
