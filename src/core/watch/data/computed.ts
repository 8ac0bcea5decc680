/**
 * Fields that are computed when they are read. All objects share the getters: what a getter in an object literal closes over stays in
 * memory until a full collection, because V8 keeps it with the shape of the object.
 */

const SOURCE = Symbol('source')

/**
 * Returns a function that adds the fields to an object. They are computed from `source`, each time they are read; a copy by `...` reads
 * them once.
 */
export function computed<Source extends object, Fields extends object>(
  fields: {
    readonly [Name in keyof Fields]-?: (source: Source) => Fields[Name]
  },
) {
  const readers = Object.entries<(source: Source) => unknown>(fields)
  const getters = Object.fromEntries(
    readers.map(([name, read]) => [
      name,
      {
        enumerable: true,
        get(this: { readonly [SOURCE]: Source }) {
          return read(this[SOURCE])
        },
      },
    ]),
  )
  return <T extends object>(object: T, source: Source): T & Fields => {
    Object.defineProperty(object, SOURCE, { value: source })
    return Object.defineProperties(object, getters) as T & Fields
  }
}
