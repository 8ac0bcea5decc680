/** Properties draw the same values in every run, so only a change can break a test. `SEED=7 npm test` draws others. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) })
