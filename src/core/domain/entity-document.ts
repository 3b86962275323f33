/**
 * Where does an entity stand among documents? It has a path like a file, and an id of its own. No
 * file can have such a path: none has an empty part between two slashes.
 */
const PREFIX = 'entity://'

/** How callers name an entity: `entity:graph-db`. */
export const ENTITY_SCHEME = 'entity:'

/** Longer ids are left out of the index: nothing that long is a name. */
export const OFFERED_ID_LIMIT = 1_000

/** Ids may hold anything; what means something in a path is written as in a URI. */
export function entityPath(id: string): string {
  return PREFIX + id.replace(/[%/\\\u0000-\u001f\u007f]/g, escapeCharacter)
}

export function isEntityPath(path: string): boolean {
  return path.startsWith(PREFIX)
}

/** The id that a path was made from. */
export function entityIdOf(path: string): string {
  return path
    .slice(PREFIX.length)
    .replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
