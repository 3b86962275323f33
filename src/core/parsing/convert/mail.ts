/**
 * Mail (`.eml`, `.mbox`): who wrote what to whom and when, in reply to what, without what is quoted
 * from before; what is attached is read as the file that it is.
 */
import { hash } from 'node:crypto'
import PostalMime from 'postal-mime'
import type { Attachment, Email } from 'postal-mime'
import { Unreadable } from '../../domain/conversion.ts'
import type { FileContents, FileReader } from '../../domain/conversion.ts'
import { cutText } from '../../kit/cut-text.ts'
import { ownWork } from '../../kit/thread-work.ts'
import { writeHtml } from './html.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { plain, plainLine } from './plain.ts'
import { readAttachment, under } from './read-attachment.ts'

const MOST_MAILS = 5_000
const MOST_ATTACHMENTS = 100
const LONGEST_NAME = 100
/** Less than a file may take, as one attachment may take nearly all of that. */
const MOST_MS = 10_000

export const readMail: FileReader = async (bytes, path, _isFirst, isBare = false) => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isBox = /\.mbox$/i.test(path)
  const mails = isBox ? mailsIn(buffer) : [buffer]
  const writer = new MailWriter(isBox, isBare)
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
    await writer.add(mail, index + 1)
  }
  return writer.contents(mails.length)
}

class MailWriter {
  readonly #writer = new MarkdownWriter()
  readonly #isBox: boolean
  /** Attachments are only named. */
  readonly #isBare: boolean
  /** Numbers of the mails of this box by their ids. */
  readonly #numbers = new Map<string, number>()
  readonly #spent = ownWork()
  #attached = 0
  #metadata: FileContents['metadata'] = {}
  #title: string | undefined

  constructor(isBox: boolean, isBare: boolean) {
    this.#isBox = isBox
    this.#isBare = isBare
  }

  async add(mail: Email, number: number): Promise<void> {
    const writer = this.#writer
    const from = mail.from ? nameOf(mail.from) : ''
    const to = (mail.to ?? []).map(nameOf).join(', ')
    const id = idOf(mail.messageId)
    if (this.#isBox) {
      writer.anchor(`mail=${number}`)
      writer.heading(2, plainLine(mail.subject ?? '(no subject)'))
      if (id !== undefined) this.#numbers.set(id, number)
    }
    if (this.#isBox || to !== '')
      writer.paragraph(
        `${plainLine(from)} → ${plainLine(to)}${mail.date ? `, ${mail.date.slice(0, 16).replace('T', ' ')}` : ''}`,
      )
    this.#reply(mail)
    if (mail.text?.trim()) writer.paragraph(withoutQuoted(mail.text))
    else if (mail.html) writeHtml(mail.html, writer)
    await this.#attachments(mail.attachments, number)
    this.#title = mail.subject
    this.#metadata = { author: from, to, created: mail.date, id }
  }

  /** The mail before, in this box or a file of its own, wherever it is; or nowhere. */
  #reply({ inReplyTo, subject }: Email): void {
    const id = idOf(inReplyTo)
    if (id === undefined) return
    const words = plainLine((subject ?? '').replace(/^(?:\w{2,3}:\s*)+/i, '')) || 'a mail'
    if (/[[\]|]/.test(words)) return
    const number = this.#numbers.get(id)
    this.#writer.paragraph(
      `In reply to ${number === undefined ? `[[${id}|${words}]]` : `[${words}](#mail=${number})`}`,
    )
  }

  /** Those that are only named belong to the mail, and stand before the others. */
  async #attachments(attachments: readonly Attachment[], number: number): Promise<void> {
    const writer = this.#writer
    const read: { readonly name: string; readonly contents: FileContents }[] = []
    for (const attachment of attachments) {
      const { filename: name } = attachment
      if (!name) continue
      const isOver = this.#isBare || this.#attached >= MOST_ATTACHMENTS || this.#spent() > MOST_MS
      const contents = isOver ? 'not read' : await readAttachment(name, bytesOf(attachment))
      if (typeof contents === 'object') {
        this.#attached++
        read.push({ name, contents })
      } else {
        const why = contents === undefined ? '' : ` (${contents})`
        writer.item(0, `Attachment: ${plainLine(name)}${why}`)
      }
    }
    const names = new Set<string>()
    for (const { name: given, contents } of read) {
      const name = freeName(plainName(given), names)
      names.add(name)
      const place = `${this.#isBox ? `mail=${number}&` : ''}attachment=${name}`
      writer.anchor(place)
      const level = this.#isBox ? 3 : 2
      writer.heading(level, plainLine(name))
      for (const { anchor, text } of contents.blocks) {
        if (anchor !== undefined) writer.anchor(`${place}&${anchor}`)
        writer.paragraph(under(level, text))
      }
    }
  }

  contents(count: number): FileContents {
    if (count > MOST_MAILS) {
      this.#writer.anchor('more')
      this.#writer.paragraph(`(${count - MOST_MAILS} more mails.)`)
    }
    const blocks = this.#writer.blocks()
    return this.#isBox
      ? { metadata: { mails: count }, blocks }
      : { title: this.#title, metadata: this.#metadata, blocks }
  }
}

/**
 * What a mail is called in a link: ids of mails have signs that a name cannot have. It ends like a file
 * that need not be there, as the mail before is often somewhere else.
 */
function idOf(messageId: string | undefined): string | undefined {
  const id = messageId?.match(/<[^<>\s]{3,}>/)?.[0]
  return id === undefined ? undefined : `${hash('sha256', id, 'hex').slice(0, 20)}.eml`
}

/** As a link may hold it: a path would lead out of the mail, and a long name nowhere. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? ''
  return cutText(last.trim().replaceAll(/\.{2,}/g, '.'), LONGEST_NAME)
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name} (${count})`
    if (!taken.has(free)) return free
  }
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

function parseMail(raw: Buffer): Promise<Email> {
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
    // A mailbox writes a line that begins like a mail of its own in this way.
    (line) => !line.startsWith('>') || line.startsWith('>From '),
  )
  return plain(own.map((line) => line.replace(/^>From /, 'From ')).join('\n'))
}
