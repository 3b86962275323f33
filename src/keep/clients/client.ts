/**
 * Which programs can use Cairn, and how are they told? A client is a row: where it keeps its
 * settings, in which format, and what an entry for a server looks like there.
 */

export type FileFormat = 'jsonc' | 'toml' | 'yaml'

export type Scope = 'user' | 'project'

/** A value as all three formats can say it. */
export type Plain = string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain }
export type Entry = Readonly<Record<string, Plain>>

/** How a client reaches Cairn: it starts a program, or it connects to one that runs. */
export type Launch =
  | {
      readonly kind: 'command'
      readonly command: string
      readonly args: readonly string[]
    }
  | { readonly kind: 'url'; readonly url: string }

/** What places on this machine depend on. */
export interface Places {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Root of the project one stands in. */
  readonly project: string
  exists(path: string): boolean
}

export interface Client {
  /** As it is typed: `claude-code`. */
  readonly id: string
  readonly title: string
  readonly format: FileFormat
  /** Keys that lead to the entries in the file; the file's text decides where a client has two ways. */
  container(text: string): readonly string[]
  /** The file with the settings; undefined where the client knows no such scope. */
  file(scope: Scope, places: Places): string | undefined
  /** Folders or files that only somebody who uses the client has. */
  traces(places: Places): readonly string[]
  /** Names of its program that nothing else has: it may be installed and never started. */
  readonly programs: readonly string[]
  /** The entry in the client's words; undefined where it cannot do this. */
  entry(name: string, launch: Launch): Entry | undefined
  /** How its project settings name the project's folder, where they can. */
  readonly projectVariable?: string
  /** What a person does for it to count, as a sentence. */
  readonly after: string
  /** The same for the settings of a project, where it asks more. */
  readonly afterInProject?: string
}
