/** Mail (`.eml`, `.mbox`): who wrote what to whom and when, without what is quoted from before. */
import PostalMime from 'postal-mime'
import { Unreadable } from '../../domain/conversion.ts'
import type { FileContents, FileReader } from '../../domain/conversion.ts'
import { writeHtml } from './html.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { plain, plainLine } from './plain.ts'

const MOST_MAILS = 5_000

export const readMail: FileReader = async (bytes, path) => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mails = /\.mbox$/i.test(path) ? mailsIn(buffer) : [buffer]
  const writer = new MarkdownWriter()
  let said: Pick<FileContents, 'title' | 'metadata'> = { metadata: { mails: mails.length } }
  for (const [index, raw] of mails.slice(0, MOST_MAILS).entries()) {
    const mail = await parseMail(raw).catch((error: unknown) => {
      // One bad mail of a mailbox is one bad mail.
      if (mails.length === 1) throw error
    })
    if (!mail) continue
    if (!mail.from && !mail.subject && !mail.date) {
      if (mails.length === 1) throw new Unreadable('no mail, whatever its name says')
      continue
    }
    const from = mail.from ? nameOf(mail.from) : ''
    const to = (mail.to ?? []).map(nameOf).join(', ')
    if (mails.length > 1) {
      writer.anchor(`mail=${index + 1}`)
      writer.heading(2, plainLine(mail.subject ?? '(no subject)'))
    }
    if (mails.length > 1 || to !== '')
      writer.paragraph(
        `${plainLine(from)} → ${plainLine(to)}${mail.date ? `, ${mail.date.slice(0, 16).replace('T', ' ')}` : ''}`,
      )
    if (mail.text?.trim()) writer.paragraph(withoutQuoted(mail.text))
    else if (mail.html) writeHtml(mail.html, writer)
    for (const { filename } of mail.attachments)
      if (filename) writer.item(0, `Attachment: ${plainLine(filename)}`)
    if (mails.length === 1)
      said = { title: mail.subject, metadata: { author: from, to, created: mail.date } }
  }
  if (mails.length > MOST_MAILS) writer.paragraph(`(${mails.length - MOST_MAILS} more mails.)`)
  return { ...said, blocks: writer.blocks() }
}

function parseMail(raw: Buffer) {
  return PostalMime.parse(raw, { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024 })
}

interface Address {
  readonly name?: string
  readonly address?: string | undefined
}

function nameOf({ name, address }: Address): string {
  return name ? `${name} (${address ?? ''})` : (address ?? '')
}

function mailsIn(box: Buffer): readonly Buffer[] {
  const mails: Buffer[] = []
  let from = box.indexOf('From ') === 0 ? 0 : -1
  while (from >= 0) {
    const next = box.indexOf('\nFrom ', from + 1)
    const begin = box.indexOf('\n', from + 1)
    mails.push(box.subarray(begin < 0 ? from : begin + 1, next < 0 ? box.length : next))
    from = next < 0 ? -1 : next + 1
    if (from >= 0 && box[from] !== 0x46) from = -1
  }
  if (mails.length === 0) throw new Unreadable('no mailbox, whatever its name says')
  return mails
}

/** What was said before stands in the mail before. */
function withoutQuoted(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  const signature = lines.findIndex((line) => line === '-- ')
  const own = (signature < 0 ? lines : lines.slice(0, signature)).filter(
    (line) => !line.startsWith('>'),
  )
  return plain(own.join('\n'))
}
