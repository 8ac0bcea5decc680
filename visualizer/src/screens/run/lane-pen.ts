/** What the lanes of the timeline are drawn with. */

/** A canvas at one of its lanes. */
export interface LanePen {
  readonly context: CanvasRenderingContext2D
  readonly y: number
  readonly width: number
  readonly color: string
  readonly ink: string
  /** Where an event begins, and where it ends. */
  readonly left: (seq: number) => number
  readonly right: (seq: number) => number
}

/** The context of a canvas that has this size in CSS pixels. */
export function sized(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | undefined {
  const ratio = devicePixelRatio
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  const context = canvas.getContext('2d') ?? undefined
  context?.scale(ratio, ratio)
  return context
}
