/** The check of the options of `tool`, for programs without types. */

type Given = Readonly<Partial<Record<'inputSchema' | 'effects' | 'execute' | 'timeout', unknown>>>

/** Checks what a call needs. @throws TypeError */
export function checkToolOptions(
  name: string,
  { inputSchema, effects, execute, timeout }: Given,
): void {
  const fault = (message: string) => new TypeError(`the tool '${name}' ${message}`)
  if (Object(inputSchema) !== inputSchema)
    throw fault('has no inputSchema; expected the schema of an object')
  if (effects !== 'read' && effects !== 'write')
    throw fault(`has no effects; expected 'read' or 'write'`)
  if (typeof execute !== 'function') throw fault('has no execute; expected a function')
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    throw fault(`has the timeout ${JSON.stringify(timeout)}; expected milliseconds, such as 30_000`)
}
