/**
 * The text that is written, as a CodeMirror editor. It stands in a shadow root: only there are its
 * styles constructed style sheets, which the page's policy allows, instead of inline ones.
 */
import { autocompletion, closeCompletion, completionStatus } from '@codemirror/autocomplete'
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  redo,
} from '@codemirror/commands'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, Prec, Transaction, type Extension } from '@codemirror/state'
import { Decoration, EditorView, keymap, placeholder, ViewPlugin } from '@codemirror/view'
import type { DecorationSet, ViewUpdate } from '@codemirror/view'
import { changesTo } from './changes-to.ts'
import { markdownKeys } from './markdown-keys.ts'
import { writtenAsMarkdown } from './markdown.ts'
import { sources } from './complete.ts'
import { filesInText, takeFilesAt, type TakeFiles } from './files-in-text.ts'
import { theme } from './theme.ts'

export interface TextEditor {
  text(): string
  /** Changes what is different and nothing else: the cursor and what one can undo stay. */
  put(text: string): void
  /** The line that the cursor is in, from 1. */
  line(): number
  goTo(line: number): void
  focus(): void
  /** Files for where the cursor is. */
  takeFiles(files: readonly File[]): void
  /** Whether letters are being put together that are none yet. */
  composing(): boolean
  close(): void
}

export interface TextEditorOptions {
  readonly text: string
  readonly label: string
  readonly isMarkdown: boolean
  readonly id: string
  /** Line of the note that this text begins at, from 1. */
  readonly first: number
  onChange(): void
  /** The cursor is elsewhere. */
  onMove(): void
  /** Files that are dropped or pasted, where one may put them beside the note. */
  readonly onFiles: TakeFiles | undefined
}

export function openTextEditor(host: HTMLElement, options: TextEditorOptions): TextEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const { text, isMarkdown } = options
  const view = new EditorView({
    parent: root,
    root,
    doc: text,
    extensions: [
      // A lone CR is a letter like any other: it comes back as it was.
      EditorState.lineSeparator.of('\n'),
      // What Windows puts behind a line that is copied is no letter.
      EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll('\r\n', '\n')),
      listKeys,
      isMarkdown ? [markdownKeys, writtenAsMarkdown(options.first === 1)] : [],
      onlyShownIsClosed,
      options.onFiles ? filesInText(options.onFiles) : [],
      autocompletion({
        override: isMarkdown ? [...sources(options)] : [],
        icons: false,
        maxRenderedOptions: 8,
        activateOnTypingDelay: 60,
      }),
      history(),
      search({ top: true }),
      keymap.of([
        ...searchKeymap,
        ...historyKeymap,
        // Known from elsewhere, on every system.
        { key: 'Mod-Shift-z', run: redo, preventDefault: true },
        // What saves in other places saves here.
        ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ]),
      EditorView.lineWrapping,
      byLanguage,
      placeholder('Write Markdown. / offers blocks and templates, [[ links.'),
      EditorView.contentAttributes.of({
        'aria-label': options.label,
        tabindex: '0',
        spellcheck: 'true',
        autocorrect: 'on',
        autocapitalize: isMarkdown ? 'sentences' : 'off',
      }),
      theme,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) options.onChange()
        else if (update.selectionSet) options.onMove()
      }),
    ],
  })
  return {
    text: () => view.state.doc.toString(),
    put(next) {
      const changes = changesTo(view.state, next)
      if (changes.length === 0) return
      view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) })
    },
    line: () => view.state.doc.lineAt(view.state.selection.main.head).number,
    goTo(line) {
      const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)))
      const effects = EditorView.scrollIntoView(from, { y: 'start', yMargin: 40 })
      view.dispatch({ selection: { anchor: from }, effects })
    },
    focus: () => view.focus(),
    takeFiles(files) {
      if (options.onFiles) takeFilesAt(view, files, options.onFiles)
    },
    composing: () => view.composing,
    close: () => view.destroy(),
  }
}

/** Escape closes what is offered; what was only asked for is in nobody's way. Stands before its own keys. */
const onlyShownIsClosed = Prec.highest(
  keymap.of([
    {
      key: 'Escape',
      run(view) {
        if (completionStatus(view.state) === 'pending') closeCompletion(view)
        return false
      },
    },
  ]),
)

const listKeys = keymap.of([
  { key: 'Tab', run: (view) => isInList(view) && indentMore(view) },
  { key: 'Shift-Tab', run: (view) => isInList(view) && indentLess(view) },
])

/** Elsewhere Tab leads out of the text, as it does everywhere on a page. */
function isInList({ state }: EditorView): boolean {
  const { text } = state.doc.lineAt(state.selection.main.head)
  return !state.selection.main.empty || /^\s*(?:[-*+]|\d+[.)])\s/.test(text)
}

/** Each line is written from the side its own language begins at. */
const AUTO = Decoration.line({ attributes: { dir: 'auto' } })

const byLanguage: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = linesOf(view)
      }
      update({ docChanged, viewportChanged, view }: ViewUpdate) {
        if (docChanged || viewportChanged) this.decorations = linesOf(view)
      }
    },
    { decorations: ({ decorations }) => decorations },
  ),
]

function linesOf({ state, viewport }: EditorView): DecorationSet {
  const starts: number[] = []
  for (let at = viewport.from; at <= viewport.to;) {
    const line = state.doc.lineAt(at)
    starts.push(line.from)
    at = line.to + 1
  }
  return Decoration.set(starts.map((start) => AUTO.range(start)))
}
