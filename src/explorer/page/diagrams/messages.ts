/** What the page and the frame that draws say to each other. */

export interface ToDraw {
  readonly key: number
  readonly text: string
  readonly dark: boolean
}

export interface Drawing {
  readonly key: number
  readonly svg?: string
  readonly width?: number
  readonly height?: number
  /** Why it cannot be drawn. */
  readonly problem?: string
}
