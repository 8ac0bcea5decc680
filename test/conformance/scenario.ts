/** Twelve scenarios without a framework: the answers of the model, and the results of the tools. */

/** An answer of a scripted model: calls, or the end. */
export interface Said {
  readonly text: string
  readonly calls?: readonly {
    readonly tool: string
    readonly args: Readonly<Record<string, unknown>>
  }[]
}

export interface Scenario {
  readonly name: string
  /** Model calls in one lap; absent in healthy work. */
  readonly period?: number
  /** The driver sends these messages in order, or "Go on." twenty times. It may state that a command is expected. */
  readonly driven?: { readonly commandExpected?: true; readonly says?: readonly string[] }
  /** Creates the scene of a run. */
  make(): Scene
}

export interface Scene {
  readonly tools: Readonly<Record<string, Tool>>
  /** Called once for each call of the model. */
  say(): Said
}

/** Throws if the call fails. */
export type Tool = (args: Readonly<Record<string, unknown>>) => string

/** All messages to the agent. */
export function wordsTo({ driven }: Scenario): readonly [string, ...string[]] {
  return [
    'Begin.',
    ...(driven?.says ?? Array.from({ length: driven ? TURNS - 1 : 0 }, () => 'Go on.')),
  ]
}

/** The most turns of frameworks without a default limit, and of the driver that sends "Go on.". */
export const TURNS = 20

/** The most model calls before the first intervention. */
export function mostBefore({ period }: Scenario): number {
  return period === undefined ? 0 : (period === 1 ? 3 : 2) * period + 2
}

function call(tool: string, args: Readonly<Record<string, unknown>> = {}): Said {
  return { text: '', calls: [{ tool, args }] }
}

/** An error as an HTTP client throws it. */
function status(code: number, message: string): Error {
  return Object.assign(new Error(message), { status: code })
}

/** Repeats these answers in order. */
function round(...said: readonly Said[]): () => Said {
  let turn = 0
  return () => said[turn++ % said.length] as Said
}

/** Gives these answers in order, then ends. */
function once(...said: readonly Said[]): () => Said {
  let turn = 0
  return () => said[turn++] ?? { text: 'That is all.' }
}

const LOOPS: readonly Scenario[] = [
  {
    name: 'dead tool',
    period: 1,
    make: () => ({
      tools: {
        search: () => {
          throw status(503, 'HTTP 503: service unavailable')
        },
      },
      say: () => call('search', { query: 'weather' }),
    }),
  },
  {
    name: 'A-B-A-B',
    period: 2,
    make: () => ({
      tools: { read_file: ({ path }) => `content of ${path}` },
      say: round(call('read_file', { path: 'a.txt' }), call('read_file', { path: 'b.txt' })),
    }),
  },
  {
    name: 'period 7',
    period: 7,
    make: () => ({
      tools: { open_page: ({ page }) => `page ${page}: see the next one` },
      say: round(...[1, 2, 3, 4, 5, 6, 7].map(page => call('open_page', { page }))),
    }),
  },
  {
    name: 'reworded search',
    period: 1,
    make: () => {
      const words = [
        'reset router password',
        'router password reset how',
        'how to reset the password of a router',
        'password reset router guide',
        'guide reset router password',
      ]
      let turn = 0
      return {
        tools: { search: () => 'no results' },
        say: () =>
          call('search', {
            query: `${words[turn % words.length]}${turn++ < words.length ? '' : ` ${turn}`}`,
          }),
      }
    },
  },
  {
    name: 'drifting index',
    period: 1,
    make: () => {
      let offset = 0
      return {
        tools: { read_lines: () => '(no more lines)' },
        say: () => call('read_lines', { path: 'log.txt', offset: offset++ * 100 }),
      }
    },
  },
  {
    name: 'repeatedText',
    period: 1,
    driven: {},
    make: () => ({
      tools: { finish: () => 'done' },
      say: () => ({
        text: 'I should first think about what the user wants. Let me think about what the user wants.',
      }),
    }),
  },
  {
    name: 'no command',
    period: 1,
    driven: { commandExpected: true },
    make: () => {
      let turn = 0
      return {
        tools: { finish: () => 'done' },
        say: () => ({ text: `I will get to it in a moment (${++turn}).` }),
      }
    },
  },
  {
    name: 'ping-pong of two agents',
    period: 2,
    make: () => ({
      tools: {
        ask_writer: () => 'The editor has to decide that.',
        ask_editor: () => 'The writer has to decide that.',
      },
      say: round(
        call('ask_writer', { question: 'Which title?' }),
        call('ask_editor', { question: 'Which title?' }),
      ),
    }),
  },
]

const LEGITIMATE: readonly Scenario[] = [
  {
    name: 'polling that ends',
    make: () => {
      let progress = 0
      return {
        tools: { job_status: () => (++progress < 8 ? `running, ${progress * 12} %` : 'finished') },
        say: () =>
          progress < 8 ? call('job_status', { job: 7 }) : { text: 'The job is finished.' },
      }
    },
  },
  {
    name: 'paging',
    make: () => ({
      tools: { list: ({ page }) => `items ${Number(page) * 10 + 1} to ${Number(page) * 10 + 10}` },
      say: once(...[0, 1, 2, 3, 4, 5, 6, 7].map(page => call('list', { page }))),
    }),
  },
  {
    name: 'a flaky tool that recovers',
    make: () => {
      let attempts = 0
      return {
        tools: {
          fetch_page: () => {
            if (++attempts < 3) throw status(503, 'HTTP 503: service unavailable')
            return 'the page'
          },
        },
        say: () =>
          attempts < 3
            ? call('fetch_page', { url: 'https://example.org' })
            : { text: 'Here is the page.' },
      }
    },
  },
  {
    name: 'a transient storm',
    make: () => {
      const left = ['maps', 'mail', 'calendar', 'files']
      const asked = new Set<string>()
      const attempted = new Set<string>()
      const stormy = (name: string) => () => {
        const first = !attempted.has(name)
        attempted.add(name)
        if (first) throw status(429, 'HTTP 429: too many requests')
        left.splice(left.indexOf(name), 1)
        return `answer of ${name}`
      }
      return {
        tools: Object.fromEntries(left.map(name => [name, stormy(name)])),
        // All of them once, and then those that failed.
        say: () => {
          const next = left.find(name => !asked.has(name)) ?? left[0]
          if (next === undefined) return { text: 'That is all.' }
          asked.add(next)
          return call(next)
        },
      }
    },
  },
]

export const SCENARIOS: readonly Scenario[] = [...LOOPS, ...LEGITIMATE]
