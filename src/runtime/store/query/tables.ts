/** The tables that queries read: the same on every store, whatever its own tables are. Times are in ms since 1970. */

interface QueryTable {
  readonly about: string
  readonly columns: Readonly<Record<string, string>>
}

const OF_EVENT = {
  thread: 'its name',
  seq: 'the number of the event',
  at: 'its time',
}

export const QUERY_TABLES = {
  threads: {
    about: 'one line for each thread',
    columns: {
      thread: 'its name',
      graph: 'the id of its graph',
      version: 'the hash of the version of its graph',
      status: 'active, waiting or ended',
      outcome: 'success, failure, stopped, cancelled or error, once it has ended',
      detail: 'the active states, or why it ended',
      seq: 'the number of its last event',
      started_at: 'the time of its first event',
      at: 'the time of its last event',
      wake_at: 'when it is due without a new event',
      driver: 'the process that drives it',
    },
  },
  events: {
    about: 'the journals: one line for each event',
    columns: {
      ...OF_EVENT,
      type: 'such as tool.called',
      effect: 'the entry of a node, such as act#2',
      call: 'the call of the entry, such as act#2/1',
      subject: 'the tool or the model',
      body: 'the row of the journal, as a text with JSON',
    },
  },
  calls: {
    about: 'the answers of tools and models: one line for each attempt',
    columns: {
      ...OF_EVENT,
      effect: 'the entry of a node',
      call: 'the call of the entry',
      kind: 'tool or model',
      subject: 'the tool or the model',
      ok: '1, or 0 for a failure',
      class: 'the class of the failure',
      message: 'the message of the failure',
      input_tokens: 'of a model',
      output_tokens: 'of a model',
      usd: 'the cost of a model call',
    },
  },
  edges: {
    about: 'the edges that threads took: one line for each time',
    columns: { ...OF_EVENT, edge: 'its id in the drawing of the graph, such as plan:done>act' },
  },
  findings: {
    about: 'what the detectors found',
    columns: {
      ...OF_EVENT,
      kind: 'such as loop, stall or budget',
      detector: 'the detector',
      finding: 'equal for every occurrence of one loop',
      period: 'the length of the loop',
      repeats: 'how often it repeats',
      reason: 'the code of the reason',
    },
  },
  escapes: {
    about: 'the routes that threads took out of loops and failures',
    columns: { ...OF_EVENT, rung: 'the rung', finding: 'the finding it answers', kind: 'its kind' },
  },
  breakers: {
    about: 'the circuit breakers that the threads share',
    columns: {
      resource: 'GRAPH/tool:NAME or GRAPH/model:NAME',
      state: 'closed, open or half-open',
      failures: 'failures in a row',
      retry_at: 'when the next call is a probe',
    },
  },
} as const satisfies Readonly<Record<string, QueryTable>>

export type TableName = keyof typeof QUERY_TABLES

/** Threads with the checkpoints of LangGraph, which must return what they got. They are not redacted, and queries do not read their events. */
export const CHECKPOINTS = 'langgraph:'

/** The text of a field of a row of a journal, such as `event.failure.class`, in the SQL of a database. */
export type FieldOf = (path: string) => string

/** How a database reads the tables of its store. */
export interface QueryDialect {
  readonly field: FieldOf
  /** The same as a number. */
  readonly number: FieldOf
  /** The lines of threads, of breakers (`resource`, `body`), and of events (`thread`, `seq`, `body`), without `CHECKPOINTS`. */
  readonly threads: string
  readonly breakers: string
  readonly events: string
  /** The ids of the edges of a row as lines: a join that adds `each_edge`, with the column `value`. */
  readonly eachEdge: string
  /** The findings of a row as lines: `each` is a join that adds `finding`, `ofFinding` reads one of its fields. */
  readonly eachFinding: string
  readonly ofFinding: FieldOf
}

/** Definitions of the tables, to be followed by a `SELECT`. */
export function withTables(dialect: QueryDialect): string {
  const definitions = Object.entries(selects(dialect)).map(
    ([name, select]) => `${name} AS NOT MATERIALIZED (${select})`,
  )
  return `WITH ${definitions.join(',\n')}\n`
}

function selects(dialect: QueryDialect): Readonly<Record<TableName, string>> {
  const { field, number, events, eachEdge, eachFinding, ofFinding } = dialect
  const at = `thread, seq, ${number('event.at')} AS at`
  const type = field('event.type')
  return {
    threads: dialect.threads,
    events: `SELECT ${at}, ${type} AS type, ${field('event.effect')} AS effect, ${field('event.call')} AS call,
      ${field('event.subject')} AS subject, body FROM (${events}) AS journal`,
    calls: `SELECT ${at}, ${field('event.effect')} AS effect, ${field('event.call')} AS call,
      CASE WHEN ${type} LIKE 'tool.%' THEN 'tool' ELSE 'model' END AS kind, ${field('event.subject')} AS subject,
      CASE WHEN ${type} LIKE '%.done' THEN 1 ELSE 0 END AS ok, ${field('event.failure.class')} AS class,
      ${field('event.failure.message')} AS message, ${number('event.usage.input')} AS input_tokens,
      ${number('event.usage.output')} AS output_tokens, ${number('event.usage.usd')} AS usd
      FROM (${events}) AS journal WHERE ${type} IN ('tool.done', 'tool.failed', 'model.done', 'model.failed')`,
    edges: `SELECT ${at}, each_edge.value AS edge FROM (${events}) AS journal ${eachEdge}`,
    findings: `SELECT ${at}, ${ofFinding('kind')} AS kind, ${ofFinding('detector')} AS detector, ${ofFinding('id')} AS finding,
      CAST(${ofFinding('period')} AS integer) AS period, CAST(${ofFinding('repeats')} AS integer) AS repeats,
      ${ofFinding('reason.code')} AS reason FROM (${events}) AS journal ${eachFinding}`,
    escapes: `SELECT ${at}, ${field('verdict.route.rung')} AS rung, ${field('verdict.because.0.id')} AS finding,
      ${field('verdict.because.0.kind')} AS kind FROM (${events}) AS journal WHERE ${field('verdict.kind')} = 'escape'`,
    breakers: `SELECT resource, ${field('state')} AS state, ${number('failures')} AS failures, ${number('retryAt')} AS retry_at
      FROM (${dialect.breakers}) AS journal`,
  }
}
