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

/** Twenty dates and more. */
const date = (n: number, month = 3) =>
  new Date(Date.UTC(2026, month - 1, 1 + n)).toISOString().slice(0, 10)
const hotels = (args: object) => ({ tool: 'search_hotels', args, result: { hotels: [] } })
const QUESTION = 'Which of the flights of this airline have free seats?'
const route = (n: number) => ({ from: row(FROM, n), to: column(TO, n) })

/** Values that are not words, in arguments that combine. */
const CHOSEN: readonly (readonly [shown: string, args: (n: number) => object])[] = [
  ['a date and guests', n => ({ check_in: date(n % 5), guests: 1 + Math.floor(n / 5) })],
  [
    'a city, a date and guests',
    n => ({ city: 'Rome', check_in: date(n % 5), guests: 1 + (n >> 2) }),
  ],
  [
    'two cities, dates and nights',
    n => ({
      city: ['Rome', 'Oslo'][Math.floor(n / 10)],
      date: date(Math.floor(n / 2) % 5),
      nights: 1 + (n % 2),
    }),
  ],
  [
    'arrival and departure',
    n => ({ check_in: date(Math.floor(n / 5)), check_out: date(n % 5, 4) }),
  ],
  ['a date and an hour', n => ({ date: date(Math.floor(n / 5)), time: `${10 + (n % 5)}:00` })],
  [
    'a date with its hour',
    n => ({ room: row(FROM, n), start: `${date(2)}T${10 + (n % 5)}:00:00Z` }),
  ],
  ['two numbers', n => ({ floor: 1 + (n % 5), guests: 1 + Math.floor(n / 5) })],
  ['two postal codes', n => ({ from: `1011${n % 5}`, to: `8033${Math.floor(n / 5)}` })],
  ['a day after the other', n => ({ city: 'Rome', check_in: date(n) })],
  ['null', n => ({ ...route(n), return_date: null })],
  ['false', n => ({ ...route(n), direct: false })],
  ['true and false', n => ({ to: column(TO, n), from: row(FROM, n), direct: n % 2 === 0 })],
  ['an empty text', n => ({ ...route(n), via: '' })],
  ['an empty list', n => ({ ...route(n), airlines: [] })],
  ['a list', n => ({ ...route(n), airlines: ['LH', 'BA'] })],
  ['a record', n => ({ ...route(n), passengers: { adults: 1 } })],
  ['an inner record', n => ({ filter: route(n), page: { size: 20 } })],
  ['a text that stays', n => ({ ...route(n), question: QUESTION })],
  [
    'many options',
    n => ({ ...route(n), a: 1, b: 2, c: 3, d: null, e: '', f: [], g: 'x', h: false }),
  ],
]

const CITIES = [...FROM, ...TO, 'CDG']
/** Options of a search that are left out, as models do, unless they are wanted. */
const FLAGS = [{}, { pets: true }, { pool: true }, { pets: true, pool: true }]
const KINDS = [{}, { kind: 'hotel' }, { kind: 'hostel' }, { kind: 'flat' }]
/** Twenty calls in no order. */
const SHUFFLED = [7, 2, 18, 11, 0, 14, 5, 9, 16, 3, 12, 19, 1, 8, 15, 6, 10, 4, 17, 13]
const shuffled = (n: number) => SHUFFLED[n % 20] ?? 0

const LEFT_OUT: readonly (readonly [shown: string, args: (n: number) => object])[] = [
  ['two flags, by city', n => ({ city: CITIES[n >> 2], ...column(FLAGS, n) })],
  ['two flags, by flag', n => ({ city: column(CITIES.slice(0, 5), n), ...row(FLAGS, n) })],
  [
    'two flags, in any order',
    n => ({ city: CITIES[shuffled(n) >> 2], ...column(FLAGS, shuffled(n)) }),
  ],
  ['a kind, by city', n => ({ city: CITIES[n >> 2], ...column(KINDS, n) })],
  ['a kind, by kind', n => ({ city: column(CITIES.slice(0, 5), n), ...row(KINDS, n) })],
  [
    'a kind, in any order',
    n => ({ city: CITIES[shuffled(n) >> 2], ...column(KINDS, shuffled(n)) }),
  ],
  ['a flag, after all cities', n => ({ city: column(CITIES, n), ...(n >= 10 && { old: true }) })],
  ['a price, after all cities', n => ({ city: column(CITIES, n), ...(n >= 10 && { max: 100 }) })],
  [
    'a flag in a record',
    n => ({
      city: CITIES[n >> 2],
      filter: { beds: 1 + (n % 2), ...(n % 4 > 1 && { pets: true }) },
    }),
  ],
]

const ORDERS = [
  ...['late direct flight', 'direct late flight', 'flight late direct'],
  ...['direct flight late', 'late flight direct', 'flight direct late'],
]

const OPTIONS = [
  ['to', 'JFK'],
  ['date', '2026-03-01'],
  ['direct', true],
  ['class', 'business'],
] as const

const QUESTIONS = [
  'which of the flights of this airline are late',
  'which late flights of this airline are there',
  'are there flights of this airline which are late',
  'late are which of the flights of this airline',
]
/** The twelve calls of a grid, and again in the opposite order. */
const there = (n: number) => (n % 24 < 12 ? n % 12 : 11 - (n % 12))

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
  [
    'a page that goes up beside null, a list and a record',
    n => search({ route: { from: 'BER', to: 'JFK' }, via: null, classes: [], page: n }, []),
  ],
  [
    'an offset and a limit that go up',
    n => search({ from: 'BER', to: 'JFK', offset: 10 * n, limit: 10 + n }, []),
  ],
  [
    'an attempt that goes up beside two options in turn',
    n => search({ from: 'BER', direct: n % 2 === 0, attempt: n }, []),
  ],
  [
    'a time that goes up beside the same values',
    n => search({ from: 'BER', to: 'JFK', now: `2026-03-01T10:${10 + (n % 50)}:00Z` }, []),
  ],
  [
    'dates and guests, again and again',
    n => hotels({ check_in: date(n % 3), guests: 1 + (n % 4) }),
  ],
  [
    'dates and guests, there and back',
    n => hotels({ check_in: date(there(n) % 3), guests: 1 + (there(n) % 4) }),
  ],
  [
    'a long question reworded beside two options',
    n => search({ question: column(QUESTIONS, n), limit: [5, 10, 20][n % 3] }, []),
  ],
  [
    'words in another order beside three limits',
    n => search({ query: column(ORDERS, n), limit: [5, 10, 20][Math.floor(n / 6) % 3] }, []),
  ],
  [
    'an option that is left out in turn',
    n => search({ from: 'BER', to: 'JFK', ...(n % 2 && { direct: true }), page: n }, []),
  ],
  [
    'an option that is left out in turn, and again',
    n => search({ from: 'BER', to: 'JFK', ...(n % 2 && { direct: true }) }, []),
  ],
  [
    'options that are dropped one by one, and again',
    n => search(Object.fromEntries(OPTIONS.slice(0, 4 - (n % 4))), []),
  ],
  [
    'some of three options, again and again',
    n =>
      search({ from: 'BER', ...Object.fromEntries(OPTIONS.filter((_, at) => (n >> at) & 1)) }, []),
  ],
  [
    'options that are dropped from the first search again and again, each followed by a page',
    n => search(n % 2 ? Object.fromEntries(OPTIONS) : { to: 'JFK', page: n }, []),
  ],
  [
    'another option each time',
    n => search({ from: 'BER', [`with_${FROM[n % 4]}_${TO[n % 5]}`]: true }, []),
  ],
  [
    'words in another order, every second time with an option',
    n => search({ query: column(ORDERS, n >> 1), ...(n % 2 && { direct: true }) }, []),
  ],
  [
    'words in another order, each with a limit or without',
    n => search({ query: column(ORDERS, n), ...column([{}, { limit: 5 }, { limit: 10 }], n) }, []),
  ],
  [
    'a long question reworded, every second time with an option',
    n => search({ question: column(QUESTIONS, n), ...(n % 3 && { direct: true }) }, []),
  ],
]

export const GRIDS: readonly Shape[] = [
  ...CHOSEN.map(([shown, args]) => ({
    name: `a grid of values: ${shown}`,
    healthy: true as const,
    laps: 20,
    lap: (n: number) => hotels(args(n - 1)),
  })),
  ...LEFT_OUT.map(([shown, args]) => ({
    name: `a grid of values, with some left out: ${shown}`,
    healthy: true as const,
    laps: 20,
    lap: (n: number) => hotels(args(n - 1)),
  })),
  ...COMBINED.map(([shown, lap]) => ({
    name: `a grid of questions: ${shown}`,
    healthy: true as const,
    laps: 20,
    lap: (n: number) => lap(n - 1),
  })),
  ...ASKED_AGAIN.map(([shown, lap]) => ({ name: `a search in known values: ${shown}`, lap })),
]
