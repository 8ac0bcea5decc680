/** Commands that succeed, and warn: of the locale, the terminal, the host, and what package managers advise. */
import type { Shape } from './loops.ts'

const NAMES = 'anna bela carl dora emil fritz gina hugo ines jan karl lena'.split(' ')
const name = (n: number) => NAMES[n % 12] ?? ''

/** Before each output of a shell. */
const LINES: readonly string[] = [
  'bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)',
  'perl: warning: Setting locale failed.\nperl: warning: Falling back to the standard locale ("C").',
  'bash: cannot set terminal process group (-1): Inappropriate ioctl for device\nbash: no job control in this shell',
  'sudo: unable to resolve host ip-10-0-0-7: Temporary failure in name resolution',
  'Unable to use a TTY - input is not a terminal or the right kind of file',
  'Pseudo-terminal will not be allocated because stdin is not a terminal.',
  'mesg: ttyname failed: Inappropriate ioctl for device',
  "Warning: Permanently added '10.0.0.7' (ED25519) to the list of known hosts.",
  '(process:1): Gtk-WARNING **: cannot open display',
  "ERROR: ld.so: object 'libjemalloc.so' from LD_PRELOAD cannot be preloaded (cannot open shared object file): ignored.",
  "warning: unable to access '/root/.config/git/attributes': Permission denied",
  'shell-init: error retrieving current directory: getcwd: cannot access parent directories: No such file or directory',
  'nvm is not compatible with the npm config "prefix" option: currently set to "/usr/local"',
  '/root/.bashrc: line 7: pyenv: command not found',
  '** WARNING: connection is not using a post-quantum key exchange algorithm.\n** This session may be vulnerable to "store now, decrypt later" attacks.\n** The server may need to be upgraded. See https://openssh.com/pq.html',
]
/** A line that says more than it means. Beside its exit code, the words of any output are not read. */
const OTHER = 'Failed to connect to bus: No such file or directory'

/** Where a tool puts the output and the exit code 0. */
const CODES: readonly (readonly [string, (stderr: string) => unknown])[] = [
  ['{"exitCode":0}', stderr => ({ exitCode: 0, stdout: '', stderr })],
  ['JSON', stderr => JSON.stringify({ exit_code: 0, stdout: '', stderr })],
  ['Codex', stderr => `Exit code: 0\nWall time: 0.1 seconds\nOutput:\n${stderr}`],
  [
    'Gemini CLI',
    stderr =>
      `Command: x\nDirectory: (root)\nOutput: (empty)\nError: ${stderr}\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 123`,
  ],
  ['OpenHands', stderr => `${stderr}\n[The command completed with exit code 0.]`],
  ['mini-swe-agent', stderr => `<returncode>0</returncode>\n<output>\n${stderr}\n</output>`],
]

const shape = (of: string, tool: string, lap: (n: number) => Omit<Lap, 'tool'>): Shape => ({
  name: `${of} (${tool})`,
  healthy: true,
  laps: 12,
  lap: n => ({ tool, ...lap(n) }),
})
type Lap = ReturnType<Shape['lap']>

const copied = (n: number) => ({ command: `cp src/${name(n)}.ts old/${name(n)}.ts` })
const first = (line: string) => line.slice(0, 30).replace(/\n.*/s, '')

const SHELLS = ['bash', 'shell_write']

/** Programs that warn and go on, or end with what they did. */
const PROGRAMS: readonly (readonly [command: string, answer: (n: number) => string])[] = [
  [
    'pip install',
    n =>
      `ERROR: pip's dependency resolver does not currently take into account all the packages that are installed. This behaviour is the source of the following dependency conflicts.\nfoo 1.0 requires bar<2, but you have bar 2.0 which is incompatible.\nSuccessfully installed ${name(n)}-1.0`,
  ],
  [
    'npm install',
    n =>
      `npm warn deprecated glob@7.2.3: versions prior to v9 are no longer supported\nadded ${n} packages in 2s`,
  ],
  [
    'kubectl delete pod --force',
    n =>
      `Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\npod "${name(n)}" force deleted`,
  ],
  [
    'redis-cli -a x DEL',
    n =>
      `Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n(integer) ${n % 2}`,
  ],
  [
    'docker service update',
    n =>
      `image acme/${name(n)}:2 could not be accessed on a registry to record\nits digest. Each node will access acme/${name(n)}:2 independently,\npossibly leading to different nodes running different\nversions of the image.\n\n${name(n)}`,
  ],
  [
    'useradd -m',
    n =>
      `useradd: warning: the home directory /home/${name(n)} already exists.\nuseradd: Not copying any file from skel directory into it.`,
  ],
  ['userdel -r', n => `userdel: ${name(n)} mail spool (/var/mail/${name(n)}) not found`],
  [
    'docker compose up -d -f',
    n => `WARN[0000] The "DB_PASS" variable is not set.\n ✔ Container ${name(n)}  Started`,
  ],
]

/** Receipts that mention what is not possible, or what was intended. */
const RECEIPTS: readonly (readonly [
  tool: string,
  args: (n: number) => object,
  answer: (n: number) => unknown,
])[] = [
  ['send_email', n => ({ to: `${name(n)}@a.test` }), () => 'Email sent. You cannot unsend it.'],
  [
    'resolve_ticket',
    n => ({ key: `OPS-${n * 3}` }),
    n => `OPS-${n * 3} resolved as Cannot Reproduce.`,
  ],
  [
    'add_note',
    n => ({ text: `${name(n)} did not answer` }),
    () => 'Note added: Called, could not reach',
  ],
  ['move_card', n => ({ card: name(n) }), n => `Moved "${name(n)}" to list "Can't do"`],
  [
    'edit_file',
    n => ({ path: `/srv/${name(n)}.ts` }),
    n =>
      `Index: /srv/${name(n)}.ts\n====\n--- /srv/${name(n)}.ts\toriginal\n+++ /srv/${name(n)}.ts\n-  return 1\n+  throw new Error('failed')`,
  ],
  [
    'replace_in_file',
    n => ({ path: `src/${name(n)}.tsx` }),
    n =>
      `The content was successfully saved to src/${name(n)}.tsx.\n\nNew problems detected after saving the file:\nsrc/${name(n)}.tsx\n- [ts Error] Line 7: Cannot find name 'x'.`,
  ],
]

/** Declared writes that were made, in words of what is no longer possible. */
const INTENDED: typeof RECEIPTS = [
  ['unsubscribe', n => ({ email: `${name(n)}@a.test` }), () => ({ subscribed: false })],
  ['uninstall_app', n => ({ app: name(n) }), () => ({ installed: false })],
  ['restrict_user', n => ({ user: name(n) }), n => `${name(n)} can no longer post.`],
  [
    'remove_access',
    n => ({ user: name(n) }),
    n => `${name(n)} does not have access to this document anymore.`,
  ],
  [
    'apt_remove',
    n => ({ package: name(n) }),
    n => `Package '${name(n)}' is not installed, so not removed`,
  ],
  [
    'close_ticket',
    n => ({ key: `OPS-${n * 3}`, resolution: "Won't Fix" }),
    n => `Closed OPS-${n * 3} as Won't Fix.`,
  ],
  [
    'transition_issue',
    n => ({ key: `OPS-${n * 3}`, to: "Won't Do" }),
    n => `Issue OPS-${n * 3} transitioned to Won't Do`,
  ],
  [
    'complete_task',
    n => ({ task: name(n), success: false }),
    () => ({ success: false, stored: true }),
  ],
  [
    'cancel_payment',
    n => ({ id: `pi_${n * 37}` }),
    n => ({
      id: `pi_${n * 37}`,
      status: 'canceled',
      last_payment_error: { code: 'card_declined', message: 'Your card was declined.' },
    }),
  ],
  [
    'set_delivery_status',
    n => ({ parcel: n * 37 }),
    n => `Parcel P${n * 37}: could not be delivered. Saved.`,
  ],
  ['stage_change', n => ({ file: name(n) }), () => 'Change staged, not committed.'],
]

/** The tools of these shapes that are declared as writes. */
export const WARNED_WRITES: readonly string[] = ['shell_write', ...INTENDED.map(([tool]) => tool)]

export const WARNED: readonly Shape[] = [
  ...LINES.flatMap(line =>
    SHELLS.flatMap(tool => [
      shape(`one file after the other, without output behind ${first(line)}`, tool, n => ({
        args: copied(n),
        result: `${line}\n`,
      })),
      shape(`one line after the other behind ${first(line)}`, tool, n => ({
        args: { command: `cat src/${name(n)}.ts` },
        result: `${line}\nexport const ${name(n)} = ${n * 13}\nexport const ${name(n * 5)} = '${name(n * 7)}'`,
      })),
    ]),
  ),
  ...CODES.flatMap(([shown, answer]) =>
    SHELLS.map(tool =>
      shape(`any line beside an exit code of 0, in ${shown}`, tool, n => ({
        args: copied(n),
        result: answer(OTHER),
      })),
    ),
  ),
  ...PROGRAMS.flatMap(([command, answer]) =>
    SHELLS.map(tool =>
      shape(command, tool, n => ({
        args: { command: `${command} ${name(n)}` },
        result: answer(n),
      })),
    ),
  ),
  ...RECEIPTS.map(([tool, args, answer]) =>
    shape('a receipt with a remark', tool, n => ({ args: args(n), result: answer(n) })),
  ),
  ...INTENDED.map(([tool, args, answer]) =>
    shape('an intended outcome of a write', tool, n => ({ args: args(n), result: answer(n) })),
  ),
]
