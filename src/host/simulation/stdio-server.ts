/** The process of a server that speaks over its input and output. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

type StdioServer = ChildProcessByStdio<Writable, Readable, null>

/** How long a server may take to end at SIGTERM, in ms. Clients of MCP kill after 2 s what they have terminated: this process, too. */
export const STOP_MAX = 1_500

/** In a process group of its own, because a command such as `npx` or `sh` starts the server as another process. */
export function startServer([program = '', ...args]: readonly string[]): StdioServer {
  const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  // Writing to a server that has ended fails; its exit is reported.
  server.stdin.on('error', () => {})
  return server
}

/** Ends the server and the processes that it has started: with SIGTERM, and then with SIGKILL. */
export async function stopServer(server: StdioServer): Promise<void> {
  server.stdin.end()
  send(server, 'SIGTERM')
  const stopped = performance.now()
  while (send(server, 0) && performance.now() - stopped < STOP_MAX) await pause(20)
  send(server, 'SIGKILL')
}

/** Sends a signal to all processes of the server. Returns whether one exists; 0 only tests that. */
function send(server: StdioServer, signal: NodeJS.Signals | 0): boolean {
  if (server.pid === undefined) return false
  try {
    return process.kill(-server.pid, signal)
  } catch {
    // The group has ended, or the system has no groups.
    return server.kill(signal)
  }
}
