/** What `--help` adds to the options: a group and an example for each command, and the exit codes. */

interface CommandHelp {
  readonly group: string
  readonly example: string
}

const help = (group: string, commands: Readonly<Record<string, string>>) =>
  Object.entries(commands).map(([name, example]) => [name, { group, example }] as const)

export const HELP: Readonly<Record<string, CommandHelp>> = Object.fromEntries([
  ...help('Run:', {
    run: `run graph.yaml --thread news --input '{"topic": "the release"}'`,
    resume: `resume news --decision approved --note "well written"`,
    send: `send news --input '{"topic": "the next release"}'`,
    cancel: 'cancel news --reason "no longer needed"',
    fork: 'fork news --at 12 --effects recorded --as retry --set retry.attempts=1',
    policy: 'policy news --set limits.usd=5',
    tick: 'tick --json',
  }),
  ...help('Inspect:', {
    threads: 'threads',
    show: 'show news --at 32',
    effects: 'effects news',
    breakers: 'breakers --trip search_docs --for 10m',
    scopes: 'scopes --release customer=42',
    watch: 'watch history.jsonl --format openai',
  }),
  ...help('Write a graph:', {
    init: 'init my-agent',
    lint: 'lint graph.yaml --max toolCalls=50',
    draw: 'draw graph.yaml --as mermaid',
    schema: 'schema > graph.schema.json',
  }),
  ...help('Move threads:', {
    export: 'export news --out news.escapement.gz',
    import: 'import news.escapement.gz --as copy',
  }),
])

export const EXIT_CODES = `Exit codes:
  0    the goal is reached
  1    the thread ended without the goal
  2    invalid usage, spec, input or store
  3    waiting for a person
  4    stopped by the escape mechanism
  5    another process drives the thread
  130  cancelled
  143  terminated; the thread can be resumed`
