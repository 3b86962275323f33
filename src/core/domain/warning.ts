/** Something that went less than well and that did not stop the work. */
export interface Warning {
  readonly kind:
    | 'front_matter'
    | 'encoding'
    | 'broken_link'
    | 'ambiguous_link'
    | 'skipped_file'
    | 'failed_file'
    | 'name_collision'
    | 'index'
    | 'bad_line'
    | 'syntax'
    | 'secret'
    | 'copy'
    | 'template'
  readonly message: string
  /** The document or file it is about, as `<source>/<path>` where known. */
  readonly ref?: string
  readonly line?: number
}
