/** A PDF of a few lines of text: what programs write, as small as it can be. */
export interface PdfLine {
  readonly text: string
  readonly x?: number
  /** From the top of the page, which is 792 high. */
  readonly y: number
  readonly size?: number
}

export interface PdfOptions {
  readonly info?: Readonly<Record<string, string>>
  /** What a reader that runs scripts would do when the file is opened. */
  readonly script?: string
}

export function makePdf(pages: readonly (readonly PdfLine[])[], options: PdfOptions = {}): Buffer {
  const { info = {}, script } = options
  const first = 4
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  const action = script === undefined ? '' : ` /OpenAction << /S /JavaScript /JS (${script}) >>`
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R${action} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  for (const lines of pages) {
    const shown = lines.map(({ text, x = 72, y, size = 11 }) => {
      const escaped = text.replaceAll(/[\\()]/g, String.raw`\$&`)
      return `BT /F1 ${size} Tf 1 0 0 1 ${x} ${792 - y} Tm (${escaped}) Tj ET`
    })
    const stream = shown.join('\n')
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${objects.length + 2} 0 R >>`,
      `<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`,
    )
  }
  const said = Object.entries(info).map(([key, value]) => `/${key} (${value})`)
  objects.push(`<< ${said.join(' ')} >>`)
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>`
  const whole = `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(whole, 'latin1')
}

/** Lines of a text one below the other. */
export function pdfLines(lines: readonly string[], from: Partial<PdfLine> = {}): PdfLine[] {
  const { y = 72, size = 11, x = 72 } = from
  return lines.map((text, index) => ({ text, x, size, y: y + index * size * 1.3 }))
}
