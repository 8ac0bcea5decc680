/** What a spec declares of a tool, so that its calls are read rightly: `detect.tools.<name>`. */
export interface ToolHints {
  /** It asks how something stands: the same answer again is expected, and nothing to be found. A failure is. */
  readonly poll?: boolean
  /** It goes through something piece by piece: other arguments are other pieces, however alike, and whatever the answer. */
  readonly page?: boolean
  /** The arguments that make two calls the same; all others do not count. */
  readonly identity?: readonly string[]
  /** Arguments that do not count. */
  readonly ignore?: readonly string[]
  /** The path of the value in its answer that shows whether there was progress, as `job.done`: nothing else of it counts. */
  readonly progress?: string
}
