/** A fake shop: its tools have state, and it knows what is true. */

const item = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] }

/** The interface of a tool. A scenario replaces what it does. */
const toolOf = (name, description, effects = 'read') => ({
  name,
  description,
  parameters: item,
  effects,
  idempotent: true,
  timeout: 10_000,
  parse: args => args,
  execute: async () => {
    throw new Error(`${name} needs a scenario with \`system: ./shop.mjs#shop\``)
  },
})

export const search = toolOf('search', 'Finds an item with its price.')
export const catalog = toolOf('catalog', 'Reads the whole catalog, slowly.')
export const order = toolOf('order', 'Orders an item.', 'write')
export const orderStatus = toolOf('order_status', 'Counts the orders of an item.')

const PRICE = 40

/** `guarded`: the shop rejects a second order. */
export function shop({ guarded = false } = {}) {
  // By idempotency key: a call that is delivered twice takes effect once.
  const orders = new Map()
  const found = new Set()
  const look = (name, ms) => async (_, call) => {
    await call.sleep(ms)
    found.add(name)
    return { item: 'wall clock', price: PRICE, stock: 7 }
  }
  return {
    tools: {
      search: look('search', 120),
      catalog: look('catalog', 900),
      order: async ({ price }, call) => {
        await call.sleep(80)
        if (guarded && orders.size > 0 && !orders.has(call.idempotencyKey))
          throw Object.assign(new Error('already ordered'), { name: 'BusinessError' })
        orders.set(call.idempotencyKey, price)
        return { ordered: 'wall clock' }
      },
      order_status: async () => ({ orders: orders.size }),
    },
    progress: () => found.size + orders.size,
    correct: () => orders.size === 1 && [...orders.values()].every(price => price === PRICE),
    facts: () => ({ orders: orders.size }),
  }
}

export const guardedShop = () => shop({ guarded: true })

/** The shop for graphs without a model. */
export function prices() {
  const { tools, ...system } = shop()
  const { order_status: _, ...others } = tools
  return { ...system, tools: others }
}
