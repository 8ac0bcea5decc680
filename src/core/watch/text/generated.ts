/** Numbers that a run of a program draws or measures each time: seeds, process ids and rates. They differ from answer to answer. */
import { isPrinted } from './printed.ts'

/** Small numbers after `seed` may be those of a series: an agent tries one after the other. */
const DRAWN = /\b(?:seed|pid|pgid)["']?\s?[:=]?\s?$/i
const DRAWN_DIGITS = 4
/** `412.12 runs/s`, `3.2 MB/s`, a connection of nginx (`31#31: *7`), and the process id of a shell before `Segmentation fault`. */
const FOLLOWED =
  /^(?: [a-z]{2,12}\/s\b| waits for \w+Lock\b| ?[kKMG]i?B\/s\b|#\d+: \*| +(?:Segmentation fault|Killed|Aborted|Terminated|Bus error)\b)/
/** The share of a processor that zsh prints. */
const OF_CPU = /^% ?cpu\b/i
/** Fractions of SQLite and `time -p` (`real 0.001`), of XCTest (`in 0.012 (0.014) seconds`), `ab`, `ping` and zsh. */
const TIMER = /\b(?:real|user|sys) {1,6}$/
const TIMED = /^(?:(?: \(\d+\.\d+)?\) seconds\b| \[ms\]|(?:\/\d+\.\d+){1,3} ms\b| total\s*$)/m
/**
 * Process ids in the lines of Node.js, systemd and Gunicorn; the folder of a run of pytest; the id of a comment in
 * an address; the number of a line of a REPL (Julia, IRB); the processes, transactions and connections of Postgres and MySQL; a task of asyncio; connections of nginx; the memory of Maven; and the thread of glog. Not the job `[1] 12345` of a shell: R
 * prints its results so.
 */
const PROCESS =
  /\(node:$|\bProcess: $|\/pytest-of-[\w-]{1,20}\/pytest-$|#(?:issuecomment-|discussion_r|pullrequestreview-|note_)$|\bTask-$|\bREPL\[$|\(irb\):$|\d#$|\d: \*$|\bMemory: $|\bMemory: \d+M\/$|\bblocked by process $|\(process $|\bconnection id is $|Lock on transaction $|(?:^|\n)[IWEF]\d{4} [\d:.]+ +$/
/** A process id after the time of a line: `14:18:10.123 UTC [900]`, `14:18:10 web app[900]:`, `14:18:10,123 900 ERROR`. */
const LOGGED = /\d\d:\d\d:\d\d[^\n[\]]{0,30}\[$/
const LOGGED_PLAIN = /\d\d:\d\d:\d\d[.,\d]* +$/
const LEVEL = /^ +(?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b/
/** Behind a process id in brackets, xcodebuild has that of a thread. */
const LOGGED_END = /^(?::\d+)?\]/
const OF_WORKER = /^\] \[(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\]/
/** Before the number of a value that gdb or lldb prints: `$7 = 0`. */
const VALUE = /(?:^|\n|\) )\$$/
/** The seconds of a step of BuildKit: `#5 0.512 npm error`. */
const STEP = /(?:^|\n)#\d{1,4} $/
/** The meter of curl. */
const METER = '--:--:--'
const BEFORE = 40
const AFTER = 32

/** Whether the number between `start` and `end` is one. */
export function isGenerated(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - BEFORE), start)
  if (end - start >= DRAWN_DIGITS && DRAWN.test(before)) return true
  // Each line of valgrind begins with `==PID==`.
  if (before.endsWith('==') && text.startsWith('==', end)) return true
  const after = text.slice(end, end + AFTER)
  if (FOLLOWED.test(after) || OF_CPU.test(after)) return true
  if (before.endsWith('[')) {
    if (OF_WORKER.test(after)) return true
    // The cheaper test comes first, here and below.
    if (LOGGED_END.test(after) && LOGGED.test(before)) return true
  }
  if (PROCESS.test(before)) return true
  if (after.startsWith(' = ') && VALUE.test(before)) return true
  if (LEVEL.test(after) && LOGGED_PLAIN.test(before)) return true
  if (after.includes(METER) || before.includes(METER)) return true
  const isFraction = text.slice(start, end).includes('.')
  if (isFraction && (TIMER.test(before) || STEP.test(before) || TIMED.test(after))) return true
  return isPrinted(text, start, end)
}

/** What `mkdtemp` and `mktemp` draw: `/tmp/build-Xa3b9Q`. The six signs may all be letters. */
const DRAWN_NAME = /(?:\/tmp|\/var\/folders|[\\/]Temp)[\\/][^\s"'<>]{0,90}[-.]$/i
const MIXED = /[a-z][A-Z\d]|\d[A-Za-z]|[A-Z][A-Z\d]/
const DRAWN_LENGTH = 6
const FOLDER_MAX = 100

/** Whether the word between `start` and `end` is the end of the name of a temporary file. */
export function isDrawnName(text: string, start: number, end: number): boolean {
  if (end - start !== DRAWN_LENGTH || !/[-.]/.test(text[start - 1] ?? '')) return false
  const before = text.slice(Math.max(0, start - FOLDER_MAX), start)
  return MIXED.test(text.slice(start, end)) && DRAWN_NAME.test(before)
}
