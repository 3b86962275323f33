/** Contract of the page: what the server answers, and the page reads. */

export interface Range {
  readonly start: number
  readonly end: number
}

export interface Facts {
  readonly version: string
  readonly documents: number
  readonly links: number
  readonly tags: number
  readonly sources: readonly { readonly name: string; readonly root: string }[]
  readonly tools: readonly string[]
  /** Who is signed in, where somebody has to. */
  readonly who?: string
  /** Whether calls of agents are shown to whoever asks. */
  readonly follows: boolean
  readonly writes: boolean
  /** Whether there is what draws diagrams. */
  readonly diagrams: boolean
  readonly indexing?: string
}

/** Where one begins. */
export interface Beginning {
  readonly recent: readonly {
    readonly id: string
    readonly title: string
    readonly updatedAt?: number
  }[]
  readonly tags: readonly { readonly tag: string; readonly documents: number }[]
}

export interface ListedFolders {
  /** Directly in it; those of its folders are counted there. */
  readonly notes: number
  readonly folders: readonly Folder[]
  /** So many are not listed. */
  readonly more: number
}

export interface Folder {
  readonly name: string
  /** `handbook/guides/` */
  readonly path: string
  /** Also those of folders in it. */
  readonly notes: number
  /** Whether there are folders in it. */
  readonly deeper: boolean
}

export interface FolderTable {
  readonly total: number
  /** Properties that there are, most used first; and those that are shown. */
  readonly keys: readonly string[]
  readonly columns: readonly string[]
  readonly rows: readonly {
    readonly id: string
    readonly title: string
    readonly updatedAt?: number
    /** In the order of the columns. */
    readonly values: readonly string[]
    /** Where they are asked for: the same as they are, and what a change of them needs. */
    readonly raw?: readonly unknown[]
    readonly digest?: string
    /** What the note calls the first of the columns, where it says something there. */
    readonly key?: string | undefined
    readonly edits?: true
  }[]
  /** What several of them say, and in few words. */
  readonly facets: SearchPage['properties']
}

/** What is shown of a value in a table. */
export type Cell =
  | null
  | string
  | number
  | boolean
  | { readonly date: string }
  /** `id` where it leads to a note, `url` where it leads outside; neither where it leads nowhere. */
  | { readonly text: string; readonly id?: string; readonly at?: string; readonly url?: string }
  | readonly Cell[]

export interface ResultRow {
  readonly id?: string
  readonly cells: readonly Cell[]
  readonly task?: {
    readonly line: number
    readonly mark: string
    readonly text: string
    /** As one reads it, where that is another text. */
    readonly shown?: string
    readonly depth?: number
  }
}

/** A query that stands in a note, with what it finds, or why it is only shown. */
export interface AnsweredQuery {
  /** Lines of the note that it takes. */
  readonly line: number
  readonly end: number
  readonly language: 'dataview' | 'base'
  /** Stands within a line, and is one value. */
  readonly inline?: true
  /** Of one within a line: its expression. */
  readonly text?: string
  readonly views: readonly string[]
  readonly view: number
  readonly result?: {
    readonly shape: 'table' | 'list' | 'tasks' | 'cards' | 'board' | 'calendar'
    readonly columns: readonly { readonly name: string; readonly key?: string }[]
    readonly groups: readonly { readonly by?: Cell; readonly rows: readonly ResultRow[] }[]
    readonly total: number
    readonly shown: number
    readonly summaries?: readonly {
      readonly column: number
      readonly name: string
      readonly value: Cell
    }[]
    readonly notes: readonly string[]
  }
  readonly problem?: string
}

/** What one looks for in the morning. */
export interface Day {
  readonly daily?: { readonly id: string; readonly title: string }
  /** The first of those that are late, due today or soon. */
  readonly tasks: readonly {
    readonly id: string
    readonly line: number
    readonly text: string
    /** As one reads it, where that is another text. */
    readonly shown?: string
    readonly due: string
    readonly when: 'late' | 'today' | 'soon'
    /** What stands in its box, where that is no blank. */
    readonly mark?: string
    /** It may be ticked by whoever looks at it. */
    readonly edits?: true
  }[]
  readonly total: number
}

export type FacetName = 'source' | 'folder' | 'tag' | 'type'

export interface Heading {
  readonly level: number
  readonly text: string
  readonly line: number
}

export interface Quote {
  readonly text: string
  readonly lines: readonly [number, number]
}

export interface Citation {
  readonly id: string
  readonly title: string
  readonly heading?: string
  readonly lines: string
  readonly quote: string
  readonly digest: string
}

export interface Answer {
  readonly answer: string
  readonly claims: readonly { readonly text: string; readonly citations: readonly Citation[] }[]
  readonly relevant: boolean
  readonly gaps?: readonly (string | { readonly text?: string; readonly question?: string })[]
  readonly note?: string
}

export interface Operation {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly client?: string
  readonly principal?: string
  readonly documents: readonly string[]
  readonly more?: number
  readonly state?: string
  readonly undone_by?: string
  readonly undoes?: readonly string[]
}

export interface Missing {
  readonly id: string
  readonly stage: string
  readonly rank?: number
  readonly reason: string
  readonly words: readonly { readonly word: string; readonly in_document: boolean }[]
  readonly similarity?: number
  readonly advice: string
}

export type Row = Readonly<Record<string, unknown>>

export interface Report {
  readonly items: readonly Row[]
  readonly summary?: Row
  readonly total?: number
  readonly next_cursor?: string
}

export interface FoundTitle {
  readonly id: string
  readonly title: string
  /** The alias or heading that matched, where it was not the title. */
  readonly as?: string
  readonly what: 'title' | 'alias' | 'heading'
  readonly kind: 'note' | 'entity'
  /** Letters that matched, in the title or in `as`. */
  readonly marks: readonly Range[]
  readonly line?: number
}

export interface Signals {
  readonly words: number
  readonly meaning: number
  readonly links: number
  readonly name: number
  readonly total: number
  readonly coverage: number
  readonly together: number
  readonly similarity?: number
}

export interface PageHit {
  readonly id: string
  readonly title: string
  readonly kind: 'note' | 'entity'
  readonly heading: string
  /** Without Markdown, on one line. */
  readonly text: string
  /** What matched in it. */
  readonly marks: readonly Range[]
  /** From the first match to the end of the passage. */
  readonly lines?: readonly [number, number]
  readonly updatedAt?: number
  readonly score: number
  readonly signals: Signals
}

export interface Facet {
  readonly value: string
  readonly count: number
}

export interface PropertyFacet extends Facet {
  /** The condition that leaves only these. */
  readonly where: string
}

export interface SearchPage {
  readonly hits: readonly PageHit[]
  readonly relevant: boolean
  readonly mode: string
  readonly notes: readonly string[]
  /** Among the best hundred. */
  readonly facets: Readonly<Record<'source' | 'folder' | 'tag' | 'type', readonly Facet[]>>
  /** Properties that some of them share, with what they say; none while one types. */
  readonly properties: readonly {
    readonly key: string
    readonly values: readonly PropertyFacet[]
  }[]
  readonly total: number
}

export interface ShownNote {
  readonly id: string
  readonly title: string
  readonly kind: 'note' | 'entity'
  readonly source: string
  readonly path: string
  readonly type: string
  readonly tags: readonly string[]
  readonly properties: Readonly<Record<string, unknown>>
  /** Notes that links in the properties lead to, by what is written there. */
  readonly named: Readonly<Record<string, string>>
  readonly digest: string
  /** What of it may be changed: all, or sections that hold no secret that is masked. */
  readonly edits?: 'whole' | 'sections' | undefined
  /** It may get another place, or be deleted. */
  readonly moves?: boolean | undefined
  readonly updatedAt?: number
  readonly html: string
  /** Where the file is to be had that the text was made from. */
  readonly file?: string
  readonly headings: readonly Heading[]
  readonly part: number
  readonly parts: number
  /** Lines of the note that this part holds, both included. */
  readonly first: number
  readonly last: number
  /** The line that was asked for by a place, where there is such a place. */
  readonly place?: number
  /** Per quote of the request, in its order. */
  readonly quotes: readonly ('words' | 'block' | 'nothing' | 'elsewhere')[]
  readonly changed: boolean
  readonly links: { readonly outgoing: number; readonly broken: number }
}

export interface Backlink {
  readonly id: string
  readonly title: string
  readonly line: number
  /** The relation, where it is one. */
  readonly relation?: string
  readonly text: string
  readonly marks: readonly Range[]
}

export interface Mention {
  readonly id: string
  readonly title: string
  readonly line: number
  readonly text: string
  readonly marks: readonly Range[]
  /** The line as it is written there, and the same with a link: what an edit would be. */
  readonly find: string
  readonly replace: string
  readonly digest: string
}

export interface MapLabels {
  readonly version: string
  readonly ids: readonly string[]
  readonly titles: readonly string[]
  /** In the order of the map's groupings; group 1 is the first name, 0 is everybody else. */
  readonly groupings: readonly { readonly name: string; readonly values: readonly string[] }[]
  /** What the types of links mean. */
  readonly types: readonly string[]
  /** What hangs together, largest first. */
  readonly regions: readonly NamedRegion[]
}

export interface NamedRegion {
  readonly name: string
  readonly size: number
  /** Where it lies on the map, and how far most of it is from there. */
  readonly x: number
  readonly y: number
  readonly radius: number
}

/** With titles, where one types. */
export interface SearchAnswer extends SearchPage {
  readonly titles?: readonly FoundTitle[]
  readonly indexing?: string
}

/** What an editor begins with. */
export interface EditedText {
  readonly id: string
  readonly text: string
  /** Of the whole file: the change is refused where it has another one by then. */
  readonly digest: string
  /** Lines of the note that this is, both included; and how many it has. */
  readonly first: number
  readonly last: number
  readonly lines: number
  /** Of the section, where it is one. */
  readonly heading?: string
  /** The nearest lines around a part that say something: they are no part of it later, either. */
  readonly above?: string
  readonly below?: string
}

/** What one needs to make a note. */
export interface Making {
  /** Where it would go; a folder where it has no name yet. */
  readonly id: string
  /** Where notes go from here: `handbook/guides/`. */
  readonly folder: string
  /** What it holds without a template. */
  readonly begins: 'empty' | 'title'
  readonly templates: readonly { readonly name: string; readonly id: string }[]
  /** The note of this day, as it is or would be. */
  readonly daily?: { readonly id: string; readonly exists: boolean }
}

/** What a link that leads nowhere may have meant, with the lines that would say so. */
export interface Mends {
  readonly digest: string
  readonly mends: readonly {
    readonly id: string
    readonly title: string
    readonly lines: string
    readonly content: string
  }[]
}

/** A task with another mark, or a property with another name, as the line of a change. */
export interface ChangedLine {
  readonly digest: string
  readonly lines: string
  readonly content: string
}

/** A file that was put beside a note. */
export interface Attached {
  readonly file: string
  /** What a note says to show it. */
  readonly written: string
  readonly line?: number
  readonly operation?: string
  readonly warnings: readonly string[]
}

/** A note that a link may mean. */
export interface LinkOffer {
  readonly id: string
  readonly title: string
  /** The alias that matched. */
  readonly as?: string | undefined
  /** What to write between the brackets so that it leads there from here. */
  readonly target: string
}

/** Places in a note that a link may lead to. */
export interface PlaceOffers {
  readonly headings: readonly { readonly level: number; readonly text: string }[]
  /** With the words that they mark. */
  readonly blocks: readonly { readonly name: string; readonly text: string }[]
}

/** What others have written that one may want to write too. */
export interface Vocabulary {
  readonly tags: readonly string[]
  /** Most used first, with values that notes give them. */
  readonly properties: readonly { readonly key: string; readonly values: readonly string[] }[]
}
