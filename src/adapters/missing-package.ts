import { codedError, guardOf } from '../core/watch/data/fault.ts'

/** An optional package that an adapter needs is not installed. */
export class MissingPackage extends codedError('MissingPackage', 'missing-package') {}

/** Whether an error says that an optional package is not installed. */
export const isMissingPackage = guardOf(MissingPackage)
