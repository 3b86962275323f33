/** One edit of one document, as the tool `write` makes it. */
import type { WriteOptions } from '../../src/core/operations/writing/change-files.ts'
import {
  appending,
  editDocument,
  metadataSetting,
  prepending,
  replacing,
  sectionEditing,
  textReplacing,
} from '../../src/core/operations/writing/edit-document.ts'
import type { InSection, MetadataChange } from '../../src/core/operations/writing/edit-document.ts'
import type { FollowOptions } from '../../src/core/operations/writing/plan-following.ts'
import type { View } from '../../src/core/operations/view/view.ts'

type Adding = WriteOptions & InSection

export const replaceDocument = (kb: View, id: string, content: string, options: FollowOptions) =>
  editDocument(kb, 'replace', id, replacing(content), options)

export const appendToDocument = (kb: View, id: string, content: string, options: Adding) =>
  editDocument(kb, 'append', id, appending(content, options), options)

export const prependToDocument = (kb: View, id: string, content: string, options: Adding) =>
  editDocument(kb, 'prepend', id, prepending(content, options), options)

export const editSection = (
  kb: View,
  id: string,
  change: Parameters<typeof sectionEditing>[0],
  options: FollowOptions,
) => editDocument(kb, 'edit_section', id, sectionEditing(change), options)

export const findAndReplace = (
  kb: View,
  id: string,
  change: Parameters<typeof textReplacing>[0],
  options: FollowOptions,
) => editDocument(kb, 'find_replace', id, textReplacing(change), options)

export const setMetadata = (kb: View, id: string, change: MetadataChange, options: WriteOptions) =>
  editDocument(kb, 'set_metadata', id, metadataSetting(change), options)
