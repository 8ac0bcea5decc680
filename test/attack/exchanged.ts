/** One call again and again: its answer differs only in what a server says of the exchange, such as quotas, ages of caches and handles. */
import type { Shape } from './loops.ts'

/** Signs as services draw them. */
const drawn = (n: number, length: number) =>
  Array.from({ length }, (_, at) => 'aB3dE7gH/kLm0pQ+sT'[(n * 7 + at * at * (n + 3)) % 18]).join('')

const EXCHANGED: readonly (readonly [string, (n: number) => unknown])[] = [
  [
    'a mail through Gmail',
    n => ({
      accepted: ['ada@example.com'],
      envelopeTime: 100 + n,
      messageTime: 300 + n * 7,
      response: `250 2.0.0 OK  ${1_767_444_000 + n} 4fb4d${n}5d1cf-5d0si${3_000_000 + n * 31}a12.${n} - gsmtp`,
      messageId: `<m-${n}@example.com>`,
    }),
  ],
  [
    'a quota',
    n => ({
      status: 200,
      headers: { 'x-ratelimit-remaining': `${4_987 - n}`, 'x-ratelimit-used': `${13 + n}` },
      body: { number: 7, state: 'open' },
    }),
  ],
  [
    'a quota of curl -i',
    n =>
      `HTTP/2 200\nx-ratelimit-remaining: ${4_987 - n}\nserver-timing: db;dur=${n}.4\n\n{"state":"open"}`,
  ],
  [
    'the age of a cache',
    n => ({ headers: { age: `${12 + n * 3}`, 'cf-ray': `${drawn(n, 8)}-FRA` }, body: 'open' }),
  ],
  ['remaining credits', n => ({ data: { markdown: 'A page' }, creditsRemaining: 480 - n })],
  [
    'the cost of Shopify',
    n => ({
      data: { orders: { nodes: [] } },
      extensions: { cost: { throttleStatus: { currentlyAvailable: 1_998 - n * 3 } } },
    }),
  ],
  [
    'the headers of S3',
    n => ({
      ResponseMetadata: {
        HTTPHeaders: { 'x-amz-id-2': drawn(n, 75), 'x-amz-request-id': `R${n}A` },
      },
      Name: 'b',
    }),
  ],
  [
    'the handle of SQS',
    n => ({ Messages: [{ MessageId: 'm-1', ReceiptHandle: drawn(n, 160), Body: '{"order":7}' }] }),
  ],
  [
    'the lock of Service Bus',
    n => ({ messageId: 'm1', lockToken: drawn(n, 20), deliveryCount: n + 1, body: { order: 7 } }),
  ],
  [
    'the clock of MongoDB',
    n => ({
      cursor: { firstBatch: [], id: 0 },
      $clusterTime: { clusterTime: { $timestamp: { t: 1_767_444_000 + n, i: n } } },
      operationTime: { $timestamp: { t: 1_767_444_000 + n, i: n } },
    }),
  ],
  [
    'the processes of a deadlock',
    n =>
      `ERROR:  deadlock detected\nDETAIL:  Process ${4_000 + n * 7} waits for ShareLock on transaction ${900_000 + n * 13}; blocked by process ${4_001 + n * 7}.`,
  ],
  [
    'the connection of MySQL',
    n => `Your MySQL connection id is ${12 + n}\nERROR 1049 (42000): Unknown database 'shop'`,
  ],
  [
    'the process of gdb',
    n => `SIGSEGV in main () at a.c:5\n[Inferior 1 (process ${4_000 + n * 37}) killed]`,
  ],
]

export const EXCHANGED_CALLS: readonly Shape[] = [
  ...EXCHANGED.map(([shown, answer]) => ({
    name: `one call again and again, answered alike beside ${shown}`,
    lap: (n: number) => ({ tool: 'request', args: { of: 'order 7' }, result: answer(n) }),
  })),
  {
    name: 'the ages of people',
    healthy: true,
    laps: 12,
    lap: n => ({
      tool: 'request',
      args: { of: 'everybody' },
      result: [{ name: 'Ada', age: 30 + n }],
    }),
  },
]
