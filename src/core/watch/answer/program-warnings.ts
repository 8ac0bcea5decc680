/**
 * What shells and programs print beside the output of a command that succeeds: warnings about the locale, the terminal, the host, the
 * settings of the user.
 *
 * Intuition: "bash: warning: setlocale: cannot change locale" stands before each answer of a container, whatever the command.
 * Hard case: "Failed to connect to bus" of `systemctl` is its answer. Rejected: each line that many answers have in common, which is
 * also how a tool fails alike.
 */
import { isMap, type Json, mapFields } from '../data/json.ts'
import { recordIn } from './envelope.ts'

const linesOf = ({ raw }: TemplateStringsArray): string[] => raw.join('').trim().split(/\n\s*/)

const LOCALE = linesOf`
  (?:[\w./-]{1,60}: )?(?:line \d+: )?warning: setlocale: .*
  perl: warning: .*
  [ \t]+(?:LANGUAGE|LC_\w+|LANG) = .*
  [ \t]+are supported and installed on your system\.
  locale: Cannot set LC_\w+ .*
  manpath: can.t set the locale;.*
`
const TERMINAL = linesOf`
  bash: cannot set terminal process group .*
  bash: no job control in this shell
  Unable to use a TTY - .*
  Pseudo-terminal will not be allocated because .*
  mesg: (?:ttyname failed: .*|cannot open .*)
  stdin: is not a tty
  stty: .*ioctl for device
  tput: No value for \$TERM.*
  TERM environment variable not set\.
  the input device is not a TTY
`
const HOST = linesOf`
  sudo: unable to resolve host .*
  Warning: Permanently added .* to the list of known hosts\.?
  ERROR: ld\.so: object .* ignored\.
  (?:shell-init|job-working-directory): error retrieving .*
  \(\S{1,60}:\d+\): [\w-]+-(?:WARNING|CRITICAL) \*\*.*
  WARNING: No swap limit support
  X11 forwarding request failed .*
  \*\* WARNING: connection is not using a post-quantum .*
  \*\* This session may be vulnerable to .*
  \*\* The server may need to be upgraded\..*
  invoke-rc\.d: .*
`
const SETTINGS = linesOf`
  \S*/\.(?:bash|zsh|z?profile)\w*:(?: line \d+: .*| ?\d+: (?:command not found|no such file|permission denied).*)
  nvm is not compatible with the .*
  Run .nvm use --delete-prefix .*
  warning: unable to access '.*/git/.*': Permission denied
  debconf: .*
  dpkg-preconfigure: unable to re-open stdin.*
`
/** What a program says of something it has done all the same. */
const PROGRAMS = linesOf`
  userdel: .* mail spool .* not found
  useradd: Not copying any .*
  [ \t]+'refs/remotes/.*', but not yet merged to HEAD\.?
  (?:Site|Module|Conf) \S+ disabled\.
  image .* could not be accessed on a registry to record
  its digest\. Each node will access .*
  possibly leading to different nodes running different
  versions of the image\.
  mysqldump: Error: '.* PROCESS privilege.*
  [ \t]*\*{4} Error: .*
  [ \t]*Output may be incorrect\.
  \[WARNING\] Missing character: .*
  [EWI]\d{4} [\d:.]+ +\d+ memcache\.go:\d+\] .*
  \[\d+:\d+:[\d/.]+:(?:ERROR|WARNING):.*
  SLF4J: .*
  Picked up \w*JAVA\w*_OPTIONS: .*
`
/** Of package managers, databases and others. */
const ADVICE = linesOf`
  WARNING: apt does not have a stable CLI .*
  npm (?:warn|WARN|notice)\b.*
  WARNING: Running pip as the 'root' user .*
  \[notice\] .* of pip .*
  \[notice\] To update, run: .*
  DEPRECATION: .*
  (?:\w+: )?\[?Warning\]?:? Using a password (?:on|with) .*
  \(node:\d+\) (?:\[\w+\] )?\w*Warning: .*
  \(Use .node --trace-\w+ .*
  warning: (?:in the working copy of .*|(?:CR)?LF will be replaced by .*)
  WARN\[\d{4}\] .*
  hint: .*
  W: [A-Z]\w+ .*
  Warning: Provider development overrides are in effect
  The behavior may therefore not match any released version .*
`
/** Gemini CLI names the stream of a line. */
const STREAM = '(?:(?:Error|Stderr|Output): )?'
const linesLike = (lines: readonly string[]) =>
  new RegExp(`^${STREAM}(?:${lines.join('|')})\\r?(?:\\n|$)`, 'gm')
const NOISE = linesLike([LOCALE, TERMINAL, HOST, SETTINGS, PROGRAMS].flat())
/** Alone, advice is what the program has to say. */
const ADVISED = linesLike(ADVICE)

/** Any other warning. */
const WARNING = /^(?:[\w./()-]{1,60}: ?){0,3}\[?(?:warn|warning|notice)\]?:? .*(?:\n|$)/gim
/** By the convention of GNU, a program that warns goes on. */
const OF_PROGRAM = /^[a-z][\w.-]{1,30}: warning: /
/** pip, before "Successfully installed". */
const RESOLVER =
  /^ERROR: pip's dependency resolver does not .*(?:\n|$)|^\S+ \S+ requires .* which is (?:incompatible|not installed)\..*(?:\n|$)/gm

/** A longer text is an output that is compared as it is. */
const LONG = 4_000
const OF_SHELL = /^\s*\{[\s\S]*"(?:stdout|stderr|output)"/

/** A text without the lines that have nothing to do with its command, also in the output that a record has. */
export function withoutNoise(text: string): string {
  if (text.length > LONG) return text
  const record = OF_SHELL.test(text) ? recordIn(text) : undefined
  if (!isMap(record)) return withoutLines(text)
  return JSON.stringify(mapFields(record, withoutNoiseIn))
}

function withoutLines(text: string): string {
  const plain = text.replace(NOISE, '')
  const rest = plain.replace(ADVISED, '')
  return rest.trim() === '' ? plain : rest
}

const withoutNoiseIn = (value: Json): Json =>
  typeof value === 'string' ? withoutLines(value) : value

/** A text without any warning, if it has something else, or the warnings are those of a program. */
export function withoutWarnings(text: string): string {
  if (text.length > LONG) return text
  const rest = text.replace(WARNING, '').replace(RESOLVER, '')
  return rest.trim() === '' && !OF_PROGRAM.test(text) ? text : rest
}
