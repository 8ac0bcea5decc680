/** A search combines the values of two arguments: each combination is a question. */
import type { Shape } from './loops.ts'

const FROM = ['BER', 'MUC', 'HAM', 'FRA']
const TO = ['JFK', 'SFO', 'BOS', 'LAX', 'ORD']
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']
const PEOPLE = ['Ada', 'Bob', 'Cleo', 'Dan']

const column = <T>(values: readonly T[], n: number) => values[n % values.length]
const row = <T>(values: readonly T[], n: number) => column(values, Math.floor(n / 5))

const flight = (n: number) => ({ from: row(FROM, n), to: column(TO, n), date: '2026-12-24' })
const search = (args: object, result: unknown) => ({ tool: 'search_flights', args, result })

type Grid = readonly [shown: string, lap: (n: number) => ReturnType<Shape['lap']>]

const COMBINED: readonly Grid[] = [
  ['flights, answered by an empty list', n => search(flight(n), { flights: [] })],
  ['flights, answered by "No flights found."', n => search(flight(n), 'No flights found.')],
  [
    'flights, answered in the words of the call',
    n => {
      const { from, to, date } = flight(n)
      return search({ from, to, date }, `No flights from ${from} to ${to} on ${date}.`)
    },
  ],
  [
    'one origin on each day',
    n => search({ from: 'BER', to: row(TO, n), date: `2026-12-2${n % 5}` }, { flights: [] }),
  ],
  [
    'free slots',
    n => ({
      tool: 'free_slots',
      args: { day: column(DAYS, n), person: row(PEOPLE, n) },
      result: [],
    }),
  ],
]

const ORDERS = [
  ...['late direct flight', 'direct late flight', 'flight late direct'],
  ...['direct flight late', 'late flight direct', 'flight direct late'],
]

const ASKED_AGAIN: readonly Grid[] = [
  [
    'the combinations of two values, again and again',
    n => search({ from: column(FROM, n % 2), to: column(TO, n % 3) }, { flights: [] }),
  ],
  [
    'words in another order beside the same value',
    n => search({ query: column(ORDERS, n), to: 'JFK' }, []),
  ],
  [
    'a page that goes up beside the same values',
    n => search({ from: 'BER', to: 'JFK', page: n }, { flights: [] }),
  ],
]

export const GRIDS: readonly Shape[] = [
  ...COMBINED.map(([shown, lap]) => ({
    name: `a grid of questions: ${shown}`,
    healthy: true as const,
    laps: 20,
    lap: (n: number) => lap(n - 1),
  })),
  ...ASKED_AGAIN.map(([shown, lap]) => ({ name: `a search in known values: ${shown}`, lap })),
]
