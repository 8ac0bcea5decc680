/** Stores that are named by a URL: Postgres. Other names are files. */

/** Whether a store is named by the URL of a Postgres database. */
export const isPostgresUrl = (name: string): boolean => /^postgres(ql)?:\/\//i.test(name)

/** Whether a name is a URL, also one with a slash too few. A path with a scheme would hold the password of the URL. One letter is a drive. */
export const isUrl = (name: string): boolean =>
  /^[a-z][a-z0-9+.-]+(:\/|:.*@|\/\/.*:.*@)/i.test(name)

/** A URL without its password, for messages. A malformed URL has none either: all from its first colon to its last `@` may belong to it. */
export const withoutPassword = (url: string): string =>
  url
    .replace(/^([^:/]+:\/\/[^:@/?#]*):.*@(?=[^@]*$)/, '$1:***@')
    .replace(/^([a-z][^:@]+:)(?!\/\/[^/]).*@(?=[^@]*$)/i, '$1***@')
    .replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1***')
