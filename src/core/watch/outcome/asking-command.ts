/**
 * Whether a command only asks: a predicate, a search, or a checker that lists what is wrong. Its answer is that of a read, whatever its
 * tool declares.
 *
 * Intuition: `diff -q a b` ends with 1 because the files differ. A shell that is declared as a write has written nothing by it.
 * Hard cases: `test -e out && make out`, whose exit code may be that of `make`; `;` in a quoted pattern; and `eslint --fix`, which writes.
 * Rejected: each exit code of 1. That of a build or a deployment is a failure, and so is that of tests.
 */
import { isMap, type Json } from '../data/json.ts'

const COMMAND = /^(?:command|cmd|script)$/i
/** A longer command is a script, and more words hardly belong to a question. */
const LENGTH_MAX = 1_000

/** Commands whose exit code states what they have found. */
const PREDICATES =
  'diff|cmp|[efz]?grep|rg|ag|ack|test|\\[{1,2}|command -v|which|type|hash|whereis|pgrep|pidof|mountpoint|getent|id|kill -0|pg_isready|nc -z\\w*|jq|systemctl (?:\\S+ )*?(?:is-\\w+|status)|service \\S+ status|dpkg -\\w*[sSlL]|dpkg-query|rpm -\\w*q\\w*|apk info|pip3? show|brew (?:list|ls)|npm (?:ls|list|outdated|audit(?! fix)|explain)|(?:docker|podman) (?:\\w+ )?inspect'
const OF_GIT =
  'grep|diff|diff-index|diff-files|merge-base|check-ignore|show-ref|rev-parse|ls-files|ls-remote|cat-file|verify-\\w+'
/** Searches and checkers that list files and problems. Some of them write if asked to. */
const CHECKERS =
  'eslint|oxlint|stylelint|flake8|pycodestyle|pydocstyle|pylint|mypy|pyright|shellcheck|yamllint|markdownlint(?:-cli2?)?|hadolint|tflint|luacheck|bandit|rubocop|ktlint|find|golangci-lint run|go vet|ruff check|biome (?:check|lint|ci)|sqlfluff lint|phpstan|php -l|node --check|(?:ba|z)?sh -n|xmllint|helm lint|terraform (?:\\S+ )?validate'
/** Formatters that only compare if asked to. */
const FORMATTERS =
  'prettier|black|isort|ruff format|rustfmt|cargo fmt|terraform (?:\\S+ )?fmt|biome format'
const COMPARES = /\s(?:--check(?:-only)?|--list-different|-check|-c|-l)(?=\s|$)/
const WRITES =
  /\s(?:--(?:fix|write|in-place|apply|auto-?correct(?:-all)?)\b|-(?:w|i|a|A|delete|exec(?:dir)?|ok(?:dir)?|fprint\w*|fls)(?=\s|$))/

/** What runs a command, and does not change what its exit code means. */
const RUNNER =
  /^(?:(?:sudo|time|nice|env|!|npx|bunx|xargs|(?:pnpm|yarn|bundle|npm) exec|pnpm|yarn|(?:poetry|uv|pipenv) run|python3? -m|timeout \S+)(?: -\S+)* |\w+=\S* )+/
/** Beside a question, these change nothing. */
const BESIDE =
  /^(?:cd|pushd|echo|printf|true|false|:|exit|head|tail|wc|sort|uniq|cat|cut|tr|ls|pwd|export|set)\b/

const ASKS = new RegExp(
  `^(?:\\S*/)?(?:(?:${PREDICATES})|git (?:-[Cc] \\S+ |--\\S+ |-[^Cc] )*(?:${OF_GIT}))(?=\\s|$)`,
)
const CHECKS = new RegExp(`^(?:\\S*/)?(?:${CHECKERS})(?=\\s|$)`)
const COMPARED = new RegExp(`^(?:\\S*/)?(?:${FORMATTERS})(?=\\s|$)`)

const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"/g
const STATEMENTS = /[;\n]/
const PARTS = /&&|\|\|?/
/** `bash -lc '…'` */
const SHELL = /^(?:\S*\/)?(?:ba|z|da)?sh -\w*c (['"])([\s\S]*)\1$/

/** Whether the command in the arguments of a call only asks. */
export function onlyAsks(args: Json): boolean {
  const command = commandIn(args)
  if (command === undefined || command.length > LENGTH_MAX) return false
  const plain = (SHELL.exec(command)?.[2] ?? command).replace(QUOTED, "''")
  // The exit code is that of the last statement.
  const last = plain.split(STATEMENTS).findLast(statement => statement.trim() !== '') ?? ''
  const parts = last.split(PARTS).map(part => part.trim().replace(RUNNER, ''))
  return parts.some(asks) && parts.every(part => asks(part) || BESIDE.test(part))
}

function asks(part: string): boolean {
  if (COMPARED.test(part)) return COMPARES.test(part)
  return ASKS.test(part) || (CHECKS.test(part) && !WRITES.test(part))
}

/** Also as a list of words, `["bash", "-lc", "…"]`. */
function commandIn(args: Json): string | undefined {
  const fields = isMap(args) ? Object.entries(args) : []
  const [, value] = fields.find(([name]) => COMMAND.test(name)) ?? []
  if (typeof value === 'string') return value.trim()
  if (!Array.isArray(value) || !value.every(word => typeof word === 'string')) return undefined
  const [shell = '', option = '', script] = value
  return /sh$/.test(shell) && /^-\w*c$/.test(option) ? script : value.join(' ')
}
