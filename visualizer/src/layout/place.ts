/** Where a layout puts boxes and arrows, in pixels from the top left corner of the drawing. */
export interface Placed {
  readonly boxes: ReadonlyMap<string, Rectangle>
  /** Bends of the arrows, with both ends. Without an entry, an arrow is drawn straight. */
  readonly routes: ReadonlyMap<string, Route>
  readonly width: number
  readonly height: number
}

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Route {
  readonly points: readonly Point[]
  /** The center of the label. */
  readonly label: Point
}

export type Direction = 'down' | 'right'

/** The room for the title of a box, and around its content. */
export const TITLE = 30
export const PADDING = 18
