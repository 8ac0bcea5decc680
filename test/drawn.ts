/** What properties draw is the same in every run, so that a test that turns red was turned by a change. `SEED=7 npm test` draws something else. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) })
