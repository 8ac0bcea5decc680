/** The classes of failures, without their rules: the help of the command line names them. */

export const CLASSES = [
  'transient',
  'persistent',
  'business',
  'indeterminate',
  'cancelled',
  'unknown',
] as const
