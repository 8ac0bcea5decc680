/** Stores that are named by a URL: Postgres. Other names are files. */

/** Whether a store is named by the URL of a Postgres database. */
export const isPostgresUrl = (name: string): boolean => /^postgres(ql)?:\/\//i.test(name)

/** Whether a name is a URL. A path with a scheme would hold the password of the URL. */
export const isUrl = (name: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(name)

/** A URL without its password, for messages. A malformed URL has none either. */
export const withoutPassword = (url: string): string =>
  url
    .replace(/^([^:/]+:\/\/[^:@/?#]*):.*@(?=[^@]*$)/, '$1:***@')
    .replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1***')
