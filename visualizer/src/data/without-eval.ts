/** The policy of the page forbids eval, which schemas try when they are made. Imported before them. */
import { config } from 'zod'

config({ jitless: true })
