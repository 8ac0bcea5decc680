/**
 * What the group `hosts` compares: one agent, which does a step of work, adds a message of 500 bytes and goes on, on every runtime. All
 * contestants make the same messages. Those that store a step do so before the next one begins, and survive the same crash.
 */
import { messageOf } from '../lap.ts'

/** One runtime with one place to store. */
export interface Contestant {
  readonly name: string
  /** What a crash leaves: nothing; all that a killed process stored; all that a power failure leaves. */
  readonly survives: 'nothing' | 'a kill' | 'a power failure'
  /** The most steps it is measured at. Absent: all lengths. Its cost grows with the square of the steps. */
  readonly longest?: number
  /** Makes its empty place. It is work of the bench, and not measured. */
  readonly prepare?: () => Promise<unknown>
  /** Runs a new thread to its end. */
  readonly run: (agent: Agent) => Promise<Ended>
}

export interface Agent {
  readonly steps: number
  /** Work of a step, in µs of one CPU. */
  readonly work: number
}

/** A thread that has ended. */
export interface Ended {
  /** The bytes that it stored. */
  readonly bytes?: () => Promise<number>
  /** Opens the store again and reads the state of the thread, as a new process does. */
  readonly resume?: () => Promise<unknown>
  readonly close?: () => Promise<void>
}

/** The work of step `nth`, and its message. */
export function stepOf({ work }: Agent, nth: number): string {
  const end = performance.now() + work / 1_000
  while (performance.now() < end);
  return messageOf(nth)
}

/** @throws Error if the runtime did not do all steps */
export function checkSteps({ steps }: Agent, done: number | undefined): void {
  if (done !== steps) throw new Error(`${done} of ${steps} steps were done`)
}
