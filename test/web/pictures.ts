/** A coarse look at a picture. */
import type { Browser } from 'playwright-core'

export const COLUMNS = 64
export const ROWS = 40

/** A picture as 64 × 40 shades of grey, from 0 to 255: what is left when one looks from afar. */
export async function greyGrid(browser: Browser, png: Uint8Array): Promise<number[]> {
  const page = await browser.newPage()
  try {
    const address = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
    return await page.evaluate(
      async ({ address, columns, rows }) => {
        const picture = new Image()
        picture.src = address
        await picture.decode()
        const canvas = document.createElement('canvas')
        canvas.width = columns
        canvas.height = rows
        const context = canvas.getContext('2d')!
        context.imageSmoothingQuality = 'high'
        context.drawImage(picture, 0, 0, columns, rows)
        const { data } = context.getImageData(0, 0, columns, rows)
        return Array.from({ length: columns * rows }, (_, at) =>
          Math.round(0.3 * data[4 * at]! + 0.6 * data[4 * at + 1]! + 0.1 * data[4 * at + 2]!),
        )
      },
      { address, columns: COLUMNS, rows: ROWS },
    )
  } finally {
    await page.close()
  }
}

/** A step of grey that can be seen, once letters have run into each other. */
const SEEN = 6

/** The share of a picture that is different from another. */
export function difference(a: readonly number[], b: readonly number[]): number {
  const [blurredA, blurredB] = [blurred(a), blurred(b)]
  return blurredA.filter((shade, at) => Math.abs(shade - blurredB[at]!) > SEEN).length / a.length
}

/** Letters of another font stand elsewhere, but as dense. */
function blurred(grid: readonly number[]): number[] {
  return grid.map((_, at) => {
    const near = NEIGHBOURS.flatMap(([right, down]) => {
      const column = (at % COLUMNS) + right
      const inside = column >= 0 && column < COLUMNS
      return (inside ? grid[at + right + down * COLUMNS] : undefined) ?? []
    })
    return near.reduce((sum, shade) => sum + shade, 0) / near.length
  })
}

const NEIGHBOURS = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [right, down] as const))
