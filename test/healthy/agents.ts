/** Healthy agents: work that resembles a loop, lap by lap. */
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Shape } from '../attack/loops.ts'
import { CHECKED, MORE_HEALTHY } from './more-agents.ts'
import { QUEUES } from './queues.ts'
import { VERDICT_AGENTS } from './verdicts.ts'

type Step = ReturnType<Shape['lap']>
type Tools = Shape['tools']

const NAMES = 'Anna Bela Carl Dora Emil Fritz Gerda Hans Ines Jakob Karla Leo'.split(' ')
const THINGS = 'lamp chair table shelf mirror carpet clock vase drawer curtain pillow stove'.split(
  ' ',
)
const PLACES = 'Rome Oslo Lima Cairo Perth Quito Delhi Tunis Minsk Seoul Dakar Hanoi'.split(' ')
const nameOf = (n: number) => NAMES[n % 12] ?? ''
const thing = (n: number) => THINGS[n % 12] ?? ''
const place = (n: number) => PLACES[n % 12] ?? ''

const call = (tool: string, args: Json, result: Json): Step => ({ tool, args, result })
/** What a file contains. */
const file = (n: number) => `export const ${thing(n)} = new ${nameOf(n)}('${place(n)}', ${n * 37})`
const read = (n: number) => call('read', { path: `src/${thing(n)}.ts` }, file(n))
const test = (n: number, more = '') =>
  call('test', {}, `${20 - n} failing: ${thing(n)} expected ${place(n)}${more}`)
const write = (n: number) =>
  call('write_file', { path: `src/${thing(n)}.ts`, text: file(n) }, { ok: true })

const each = (name: string, laps: number, lap: (n: number) => Step, tools?: Tools): Shape => ({
  name,
  laps,
  lap,
  healthy: true,
  ...(tools && { tools }),
})
const script = (name: string, steps: readonly Step[], tools?: Tools): Shape =>
  each(name, steps.length, n => steps[n - 1] ?? {}, tools)

const range = (length: number) => Array.from({ length }, (_, index) => index + 1)

export const HEALTHY: readonly Shape[] = [
  // A second look
  script('reads A B C, then A B again', [1, 2, 3, 1, 2].map(read)),
  script('reads A twice', [1, 1].map(read)),
  script('reads a file, edits it, and reads it again', [read(1), write(1), read(2), read(3)]),
  script('lists a folder before and after its work', [
    call('ls', {}, 'a b'),
    read(1),
    read(2),
    write(3),
    call('ls', {}, 'a b c'),
  ]),
  script(
    'returns to its plan between files',
    [1, 2, 3, 4].flatMap(n => [read(n), call('plan', {}, `${n} of 4 done: ${thing(n)}`)]),
  ),
  script('checks one value twice, at the beginning and at the end', [
    call('get', { key: 'rate' }, 4.25),
    ...[1, 2, 3, 4, 5].map(read),
    call('get', { key: 'rate' }, 4.25),
  ]),
  // Polling
  each(
    'polls a job with poll',
    12,
    n => call('job', { id: 7 }, { status: n < 12 ? 'busy' : 'done' }),
    { job: { poll: true } },
  ),
  each('polls a job that counts', 12, n => call('job', { id: 7 }, { status: 'busy', done: n * 8 })),
  each('polls a job whose state changes', 4, n =>
    call('job', { id: 7 }, { status: ['queued', 'pulling', 'building', 'done'][n - 1] ?? '' }),
  ),
  each('polls twice, then it is done', 3, n => call('job', { id: 7 }, n < 3 ? 'busy' : 'done')),
  each('polls a log that grows', 12, n =>
    call(
      'log',
      {},
      range(n)
        .map(nth => `step ${thing(nth)}`)
        .join('\n'),
    ),
  ),
  each('polls between other work', 12, n =>
    n % 3 ? read(n) : call('job', { id: 7 }, { done: n }),
  ),
  each('polls three jobs with poll', 12, n => call('job', { id: n % 3 }, 'busy'), {
    job: { poll: true },
  }),
  // Paging
  each('pages by cursor', 20, n =>
    call('list', { cursor: n }, { items: [`${nameOf(n)} ${n * 31}`], more: n < 20 }),
  ),
  each('pages by offset through a long file', 20, n =>
    call(
      'read',
      { path: 'a.txt', offset: n * 100 },
      `${nameOf(n)} met ${nameOf(n * 5 + 1)} in ${place(n * 7)} ${n}`,
    ),
  ),
  each(
    'pages through equal pieces with page',
    20,
    n => call('blocks', { from: n }, 'zzzz zzzz zzzz'),
    { blocks: { page: true } },
  ),
  each('pages by the date', 12, n =>
    call('events', { day: `2026-03-${n + 10}` }, `${nameOf(n)} arrived in ${place(n)}`),
  ),
  each('pages with a token of the last answer', 12, n =>
    call('list', { token: thing(n) }, { names: [nameOf(n), nameOf(n + 5)], next: thing(n + 1) }),
  ),
  each('pages, of which the last one is empty', 5, n =>
    call('list', { page: n }, n < 5 ? [nameOf(n), place(n)] : []),
  ),
  // Edit and test
  each('edits and tests, with fewer failures', 20, n => (n % 2 ? write(n) : test(n))),
  script('edits, tests, edits, with the same failure twice', [
    write(1),
    test(1),
    write(2),
    test(1),
    write(3),
    call('test', {}, 'all passed'),
  ]),
  each('edits three files, then tests', 12, n => (n % 4 ? write(n) : test(n))),
  script('tests, reads two files, edits, tests', [test(1), read(1), read(2), write(1), test(2)]),
  each('formats after each edit', 12, n =>
    n % 2 ? write(n) : call('format', {}, `formatted ${thing(n)}.ts`),
  ),
  each('compiles after each edit, with another error', 12, n =>
    n % 2
      ? write(n)
      : call('compile', {}, `error TS${2000 + n}: ${thing(n)} is not a ${nameOf(n)}`),
  ),
  each('commits after each edit', 12, n =>
    n % 2 ? write(n) : call('save', { text: `Change the ${thing(n)} of ${nameOf(n)}` }, 'ok'),
  ),
  // One tool for each item of a list
  each('reads one file after another', 12, read),
  each('writes one file after another', 12, write),
  each('asks for the weather of each city', 12, n =>
    call('weather', { city: place(n) }, { sky: n % 2 ? 'clear' : 'rain', degrees: n + 7 }),
  ),
  each('translates one line after another', 12, n =>
    call('translate', { text: `the ${thing(n)}` }, `[de] ${thing(n)} ${n}`),
  ),
  each('looks up the price of each product', 12, n =>
    call('price', { product: thing(n) }, { euros: n * 13 }),
  ),
  each('sends one mail to each customer', 12, n =>
    call(
      'send',
      { to: nameOf(n), text: `Your ${thing(n)} is ready.` },
      { ok: true, id: `m-${n * 7919}` },
    ),
  ),
  each('resizes each image', 12, n =>
    call('save', { image: `${thing(n)}.png`, width: 640 }, { ok: true }),
  ),
  each('converts each figure', 12, n => call('convert', { euros: n * 17 }, { dollars: n * 19 })),
  each('grades each answer of a class', 12, n =>
    call('save', { student: nameOf(n), grade: n % 4 }, 'saved'),
  ),
  each('counts the rows of each table', 12, n => call('count', { table: thing(n) }, n * 101)),
  // Tools that answer alike
  each('creates files, each answered by ok', 12, n =>
    call('write_file', { path: `${thing(n)}.md`, text: place(n) }, 'ok'),
  ),
  each('deletes files, each answered by null', 12, n =>
    call('edit', { remove: `${thing(n)}.md` }, null),
  ),
  each('checks addresses, each answered by 200', 12, n =>
    call('check', { url: `https://example.com/${thing(n)}` }, { status: 200 }),
  ),
  each('checks names, each answered by true', 12, n =>
    call('is_customer', { name: nameOf(n) }, true),
  ),
  each('counts matches of names, each answered by "4 found"', 12, n =>
    call('search', { query: nameOf(n) }, '4 found'),
  ),
  each('searches for names, each answered by []', 12, n =>
    call('search', { query: nameOf(n) }, []),
  ),
  each('searches for names, each answered by 0 results for "…"', 12, n =>
    call('search', { query: nameOf(n) }, `0 results for "${nameOf(n)}"`),
  ),
  each('searches for things, each answered by {"query":…,"hits":[]}', 12, n =>
    call('search', { query: thing(n) }, { query: thing(n), hits: [] }),
  ),
  each('finds files, each answered by its path', 12, n =>
    call('find_file', { name: `${thing(n)}.ts` }, `src/${thing(n)}.ts`),
  ),
  each('makes folders, each answered by nothing', 12, n =>
    call('shell', { command: `mkdir ${thing(n)}` }, ''),
  ),
  each('inserts rows, each answered by 1', 12, n =>
    call('save', { name: nameOf(n), city: place(n) }, { rows: 1 }),
  ),
  // Recovers from failures
  script('retries a call that failed once', [
    { ...call('fetch', { id: 1 }, null), error: new Error('reset') },
    call('fetch', { id: 1 }, 'found it'),
    read(1),
  ]),
  script('corrects an argument', [
    call('book', { date: 'soon' }, { ok: false, error: 'expected a date' }),
    call('book', { date: '2026-05-01' }, { ok: true }),
  ]),
  script('guesses a path twice', [
    call('read', { path: 'a' }, 'File not found'),
    call('read', { path: 'src/a' }, 'File not found'),
    call('ls', {}, 'lib'),
    read(1),
  ]),
  script('finds nothing twice, then something', [
    call('search', { query: 'red lamp' }, []),
    call('search', { query: 'lamp red' }, []),
    call('search', { query: 'lamp' }, ['lamp 7']),
    read(2),
  ]),
  each('searches in the same words, of which every third finds something', 12, n =>
    call(
      'search',
      { query: `${thing(n % 4)} ${place(n % 3)}` },
      n % 3 ? [] : [`${nameOf(n)} ${n}`],
    ),
  ),
  // Children
  each('asks a child for each chapter', 12, n =>
    call(
      'research',
      { chapter: thing(n) },
      `Chapter on ${thing(n)}: ${nameOf(n)} moved to ${place(n)} in 19${n + 20}.`,
    ),
  ),
  each('hands over to two agents in turn, each with a new result', 12, n =>
    call(
      n % 2 ? 'writer' : 'critic',
      { draft: n },
      `${place(n)} ${thing(n * 5)} ${nameOf(n * 7)} ${n}`,
    ),
  ),
  each('delegates one item at a time', 12, n =>
    call('delegate', { item: nameOf(n) }, { done: nameOf(n), with: thing(n), score: n * 3 }),
  ),
  // Chats of ten rounds
  each('a chat about ten customers', 10, n => ({
    message: `Is ${nameOf(n)} a customer?`,
    text: 'Yes, since last year.',
  })),
  each('a chat with a search each round', 10, n => ({
    ...call('search', { query: place(n) }, [`${nameOf(n)} lives in ${place(n)}`]),
    message: `Who lives in ${place(n)}?`,
  })),
  each('a chat in which the person thanks', 10, n => ({
    message: n % 2 ? `Order a ${thing(n)}.` : 'Thank you!',
    text: n % 2 ? `I ordered a ${thing(n)}.` : 'You are welcome.',
  })),
  each('a chat that repeats one question with new answers', 10, n => ({
    message: 'What is new?',
    text: `${nameOf(n)} moved to ${place(n)}.`,
  })),
  each('an interview', 10, n => ({
    message: `${place(n)}, for ${n} years.`,
    text: `And where did ${nameOf(n)} live?`,
  })),
  ...MORE_HEALTHY,
  ...QUEUES,
  ...VERDICT_AGENTS,
  ...CHECKED,
]
