/**
 * Numbers that a program prints and that differ in each run: ids of its processes and threads, source ports, cells of a notebook, and
 * counters. Each is known by the fixed text before it, most also by the text behind it.
 *
 * Hard cases: "worker 3 of 8", `port 8081`, "stage 2" and `[1] 12345` of R are content. So is an id without a program around it, such as
 * "process 10003" of an office.
 */
import { codeAt } from './characters.ts'

interface Rule {
  /** A pattern for the text before the number and the blanks between, up to its end. */
  readonly before?: RegExp
  /** A pattern for the text behind the number, from its start. */
  readonly after?: RegExp
  /** What the number itself has to be. */
  readonly is?: (number: string) => boolean
}

/** A rule for numbers behind a fixed text, of at least two characters. Letters always have a blank between them and the number. */
interface Named extends Rule {
  readonly ends: string
}

/** A rule for numbers between two signs. A line end as the first stands for the start of the text, too. */
interface Signed extends Rule {
  readonly signs: string
}

const BLANK = 32
const LINE_END = 10
/** Characters that the patterns see before and behind a number. */
const NEAR = 48

const hasDigits = (least: number) => (number: string) => number.length >= least
/** Systems give these ports to the side that connects. Most services listen on smaller ones. */
const isSourcePort = (number: string) => /^(?:3[3-9]|[45]\d|6[0-5])\d{3}$/.test(number)
const isKernelTime = (number: string) => /^\d+\.\d{6}$/.test(number)

/** Behind `worker process 12000`, a noun such as "rows" would say that it is a count. */
const PROCESS_ENDS = /^(?:$|[\n"'\\.,;:)]| \(| (?:exited|died|terminated|was|has|received)\b)/
/** A bracket that opens a line, also one in JSON. */
const OPENS = /(?:^|\n|\\n|")\[$/

const NAMED: readonly Named[] = [
  // Jupyter and IPython: `Cell In[4], line 1`, `In [4]:`, `Out[4]:`.
  ...['In[', 'In [', 'Out['].map(ends => ({ ends, after: /^\](?::|, line \d)/ })),
  { ends: 'ipython-input-' },
  // Source ports of curl and sshd.
  { ends: ' port', before: /\bfrom [\da-f.:]+ port$/, is: isSourcePort },
  { ends: ' port', after: /^ (?:\[preauth\]|ssh2\b)/ },
  // Uvicorn, PHP-FPM, mysqld, the kernel, Elixir, SQL Server, Apache.
  { ends: 'process [', after: /^\]/, is: hasDigits(3) },
  { ends: 'child', after: /^ (?:exited|started|stopped|said)\b/, is: hasDigits(3) },
  {
    ends: ' process',
    before: /\b(?:as|killed|server|worker|parent|child|master) process$/i,
    after: PROCESS_ENDS,
    is: hasDigits(4),
  },
  // Threads that Rust and gdb name.
  { ends: "' (", before: /\bthread '[^'\n]{1,30}' \($/, after: /^\) panicked/ },
  { ends: '(LWP', after: /^\)/ },
  { ends: 'total-vm:' },
  { ends: '-rss:', before: /\b(?:anon|file|shmem)-rss:$/ },
  { ends: '#PID<' },
  { ends: '(Process ID' },
  { ends: ':tid', before: /\[pid \d*:tid$/ },
  // Threads: `[pool-7-thread-1]`, `[http-nio-8080-exec-7]`, `thread Thread-7 (run):`.
  { ends: '-exec-', before: /\d-exec-$/ },
  { ends: '-thread-', before: /\d-thread-$/ },
  { ends: 'pool-', after: /^-thread-\d/ },
  { ends: 'PoolWorker-' },
  { ends: 'Thread-', before: /["[ ]Thread-$/, after: /^(?:["\]]| \()/ },
  { ends: 'goroutine', after: /^(?: [[(]|:)/ },
  // Spark and Postgres.
  { ends: ' stage', after: /^ (?:failed \d+ times|\(TID )/ },
  { ends: '(TID', after: /^\)/ },
  { ends: 'tuple (', after: /^,\d+\)/ },
  // Rails, `time`, OpenAI, and Salesforce.
  { ends: 'Allocations:', before: /[|(] ?Allocations:$/, after: /^\)/ },
  { ends: 'resident set size (kbytes):' },
  { ends: 'CPU this job got:' },
  { ends: 'page faults:' },
  { ends: 'context switches:' },
  { ends: 'major+', after: /^\)pagefaults/ },
  { ends: ' Used', before: /\bLimit \d+, Used$/ },
  { ends: 'ErrorId if you contact support:' },
]

const SIGNED: readonly Signed[] = [
  // Sockets: `[::1]:54321->[::1]:80`. Docker shows a published port so: `[::]:49153->80/tcp`.
  { signs: ':-', after: /^->(?!\d+\/)/, is: isSourcePort },
  // Puma, nohup, and Redis: `30007:C 03 Jan 2026`.
  {
    signs: '[]',
    before: OPENS,
    after:
      /^\] (?:Puma |! [A-Z]|\* (?:Puma|PID|Min|Max|Environment|Listening|Preloading|Workers)\b)/,
    is: hasDigits(3),
  },
  { signs: ']\n', before: /\[\d+\]$/, after: /^\s*nohup: / },
  { signs: '\n:', after: /^:[A-Z] \d\d [A-Z][a-z]{2} \d{4} / },
  // The kernel: `[81255.123456] a.out[30007]: segfault`.
  { signs: '[]', before: OPENS, after: /^\] \S/, is: isKernelTime },
  { signs: '[]', before: /\d\.\d{6}\] [\w.-]{1,20}\[$/, after: /^\]: / },
  // Android: `E/Tag(30007):`.
  { signs: '()', before: /(?:^|\n|\\n|")[VDIWEFA]\/[^\s(]{1,40} *\($/, after: /^\): / },
  // Ansible, and Postgres.
  { signs: '--', before: /ansible-tmp-[\d.]+-$/ },
  { signs: ',)', before: /\btuple \(\d+,$/ },
  // Roo Code: `No sufficiently similar match found (71% similar, needs 100%)`.
  { signs: '(%', after: /^% similar\b/ },
  // Salesforce: `contact support: 123456789-12345 (-987654321)`.
  { signs: '- ', before: /\bcontact support: \d+-$/ },
  { signs: '-)', before: /\bcontact support: \d+-\d+ \(-$/ },
]

/** Spring Boot, two columns of lsof, the threads of Android, and hyperfine. */
const BETWEEN_BLANKS =
  /^ (?:--- \[| *[\w.-]+ +\d+[a-z]{0,2} +IPv[46] | *0t0 | *(?:\d+ +)?[VDIWEFA] \S|runs\b)/
const COLUMNS: readonly Rule[] = [
  { after: /^ (?:--- \[| *[\w.-]+ +\d+[a-z]{0,2} +IPv[46] )/ },
  { before: /\bIPv[46]$/, after: /^ +0t0 / },
  { before: /\d\d:\d\d:\d\d\.\d{3}(?: +\d+)?$/, after: /^ +(?:\d+ +)?[VDIWEFA] \S/ },
  { before: /\d ?ms$/, after: /^ runs\b/ },
]

const pair = (first: number, second: number): number => (first << 16) | second
const lastPair = (text: string, end: number): number =>
  pair(codeAt(text, end - 2), codeAt(text, end - 1))

/** Most numbers have a pair before them, or around them, that no rule has. */
const BY_PAIR: ReadonlyMap<number, readonly Named[]> = Map.groupBy(NAMED, ({ ends }) =>
  lastPair(ends, ends.length),
)
const BY_SIGNS: ReadonlyMap<number, readonly Signed[]> = Map.groupBy(SIGNED, ({ signs }) =>
  lastPair(signs, 2),
)

/** Whether the number between `start` and `end` is one. The cheap tests come first: this runs for most numbers of all answers. */
export function isPrinted(text: string, start: number, end: number): boolean {
  let to = start
  while (to > 0 && start - to < NEAR && text.charCodeAt(to - 1) === BLANK) to--
  const applies = ({ before, after, is }: Rule) =>
    (after?.test(text.slice(end, end + NEAR)) ?? true) &&
    (before?.test(text.slice(Math.max(0, to - NEAR), to)) ?? true) &&
    (is?.(text.slice(start, end)) ?? true)
  const named = BY_PAIR.get(lastPair(text, to))
  if (named?.some(rule => text.startsWith(rule.ends, to - rule.ends.length) && applies(rule)))
    return true
  const behind = codeAt(text, end)
  const sign = to === 0 ? LINE_END : text.charCodeAt(to - 1)
  if (BY_SIGNS.get(pair(sign, behind))?.some(applies)) return true
  if (to === start || behind !== BLANK) return false
  return BETWEEN_BLANKS.test(text.slice(end, end + NEAR)) && COLUMNS.some(applies)
}
