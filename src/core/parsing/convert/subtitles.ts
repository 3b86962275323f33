/** Subtitles (`.vtt`, `.srt`): what is said, in paragraphs, with the second at which each begins. */
import { Unreadable } from '../../domain/conversion.ts'
import type { FileReader } from '../../domain/conversion.ts'
import { decodeBytes } from './decode-bytes.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { plain } from './plain.ts'

const TIMES = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,]\d{1,3}\s+-->\s/
/** Seconds that a paragraph takes: lines are too short to say something. */
const TOGETHER = 30

export const readSubtitles: FileReader = (bytes) => {
  const lines = decodeBytes(bytes)
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
  const writer = new MarkdownWriter()
  let began: number | undefined
  let said: string[] = []
  let speaker = ''
  const flush = (): void => {
    if (said.length === 0 || began === undefined) return
    writer.anchor(`t=${began}`)
    writer.paragraph(`${clock(began)} ${said.join(' ')}`)
    said = []
  }
  let inCue = false
  let any = false
  for (const line of lines) {
    const [found, hours, minutes, seconds] = TIMES.exec(line.trim()) ?? []
    if (found !== undefined) {
      const at = Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)
      if (began === undefined || at - began >= TOGETHER) {
        flush()
        began = at
      }
      inCue = true
      any = true
    } else if (line.trim() === '') inCue = false
    else if (inCue) {
      const [, name] = /<v(?:\.[^ >]*)?\s+([^>]{1,100})>/.exec(line) ?? []
      const text = plain(
        line
          .replaceAll(/<[^>]{0,200}>|\{\\[^}]{0,100}\}/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      )
      const spoken = name !== undefined && name !== speaker ? `${plain(name)}: ${text}` : text
      speaker = name ?? speaker
      // Made by machines, which say every line again with the next one.
      if (text !== '' && said.at(-1) !== text) said.push(spoken)
    }
  }
  flush()
  if (!any) throw new Unreadable('no subtitles, whatever its name says')
  return { blocks: writer.blocks() }
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
    .replace(/^00:/, '')
}
