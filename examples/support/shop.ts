/** The external systems of the support agents: an order service over HTTP, an FAQ, and a bank that stores payments in a file. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'

const ANSWERS = [
  'Parcels arrive within three working days.',
  'Returns are free for 30 days.',
  'Refunds reach the customer within a week.',
]

/** The FAQ entries that share a word with the query. */
export async function searchFaq(query: string): Promise<readonly string[]> {
  const words = query.toLowerCase().match(/\w{4,}/g) ?? []
  return ANSWERS.filter(answer => words.some(word => answer.toLowerCase().includes(word)))
}

/** @throws Error with the status, if the order is unknown. */
export async function findOrder(order: string, signal?: AbortSignal): Promise<unknown> {
  const found = await fetch(`${process.env.SHOP_URL}/orders/${order}`, signal ? { signal } : {})
  if (!found.ok) throw Object.assign(new Error(await found.text()), { status: found.status })
  return found.json()
}

/** Pays once for each key. */
export async function payBack(order: string, amount: number, key: string): Promise<string> {
  const file = process.env.BANK_FILE ?? 'bank.jsonl'
  const paid = existsSync(file) && readFileSync(file, 'utf8').includes(JSON.stringify(key))
  if (!paid) appendFileSync(file, `${JSON.stringify({ key, order, amount })}\n`)
  return `Paid ${amount} back for order ${order}.`
}

/** The order service. */
export function orderService(): Server {
  const orders: Record<string, object> = {
    '17': { order: '17', article: 'clock', price: 450, state: 'broken on arrival' },
    '18': { order: '18', article: 'strap', price: 30, state: 'delivered' },
  }
  return createServer((request, response) => {
    const order = orders[request.url?.split('/').at(-1) ?? '']
    response.writeHead(order ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(order ?? { error: 'order not found' }))
  })
}
