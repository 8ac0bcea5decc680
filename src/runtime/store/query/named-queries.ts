/** Queries that answer the usual questions, on every store. */

export interface NamedQuery {
  readonly name: string
  readonly sql: string
}

/** How often the attempts of each tool and model failed, in all threads. */
export const ERROR_RATES: NamedQuery = {
  name: 'Error rate by tool and model',
  sql: `SELECT kind, subject, count(*) AS attempts, sum(1 - ok) AS failed,
  CAST(round(100.0 * sum(1 - ok) / count(*), 1) AS real) AS percent
FROM calls
GROUP BY kind, subject
ORDER BY percent DESC, attempts DESC, subject`,
}

/** How often the threads of a graph took each of its edges. The line without an edge counts the threads. */
export function edgesOf(graph: string): string {
  const name = `'${graph.replaceAll("'", "''")}'`
  return `SELECT edge, count(*) AS times
FROM edges JOIN threads ON threads.thread = edges.thread
WHERE graph = ${name}
GROUP BY edge
UNION ALL
SELECT NULL, count(*) FROM threads WHERE graph = ${name}`
}

export const NAMED_QUERIES: readonly NamedQuery[] = [
  {
    name: 'Threads by graph and outcome',
    sql: `SELECT graph, status, outcome, count(*) AS threads
FROM threads
GROUP BY graph, status, outcome
ORDER BY graph, threads DESC`,
  },
  {
    name: 'Calls by tool and failure class',
    sql: `SELECT subject AS tool, coalesce(class, 'answered') AS result, count(*) AS calls
FROM calls
WHERE kind = 'tool'
GROUP BY subject, coalesce(class, 'answered')
ORDER BY tool, calls DESC, result`,
  },
  ERROR_RATES,
  {
    name: 'Cost per thread',
    sql: `SELECT thread, count(*) AS calls, sum(input_tokens) AS input_tokens,
  sum(output_tokens) AS output_tokens, coalesce(sum(usd), 0) AS usd
FROM calls
WHERE kind = 'model'
GROUP BY thread
ORDER BY usd DESC, thread`,
  },
  {
    name: 'Cost per model',
    sql: `SELECT subject AS model, count(*) AS calls, sum(input_tokens) AS input_tokens,
  sum(output_tokens) AS output_tokens, coalesce(sum(usd), 0) AS usd
FROM calls
WHERE kind = 'model'
GROUP BY subject
ORDER BY usd DESC, model`,
  },
  {
    name: 'Threads that looped',
    sql: `SELECT findings.thread, threads.outcome, count(*) AS findings, max(repeats) AS repeats,
  min(findings.seq) AS first_event
FROM findings JOIN threads ON threads.thread = findings.thread
WHERE kind IN ('loop', 'stall')
GROUP BY findings.thread, threads.outcome
ORDER BY findings DESC, findings.thread`,
  },
  {
    name: 'Escapes by rung and outcome',
    sql: `SELECT rung, kind, coalesce(outcome, status) AS outcome, count(*) AS escapes
FROM escapes JOIN threads ON threads.thread = escapes.thread
GROUP BY rung, kind, coalesce(outcome, status)
ORDER BY escapes DESC, rung`,
  },
  {
    name: 'Latest failures',
    sql: `SELECT thread, seq, subject, class, message
FROM calls
WHERE ok = 0
ORDER BY at DESC
LIMIT 50`,
  },
  {
    name: 'Open breakers',
    sql: `SELECT resource, state, failures, retry_at
FROM breakers
WHERE state <> 'closed'
ORDER BY failures DESC`,
  },
]
