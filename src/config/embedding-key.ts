/** May the key of an embedding server go to the address that is configured? */

export interface KeyUse {
  readonly baseUrl: string
  /** The address stands in a file that lay where we looked, and that nobody named. */
  readonly fromFoundFile: boolean
  /** The environment itself says which variable holds the key. */
  readonly variableGiven: boolean
}

/**
 * A folder of notes from somewhere may bring its own `cairn.yaml`. It must not be able to have the
 * user's key sent to an address of its choosing.
 */
export function keyIsWithheld({ baseUrl, fromFoundFile, variableGiven }: KeyUse): boolean {
  return fromFoundFile && !variableGiven && !isHome(new URL(baseUrl))
}

/** This machine, and the place the default variable is named after. */
function isHome(url: URL): boolean {
  if (url.hostname === 'api.openai.com') return url.protocol === 'https:'
  return isThisMachine(url)
}

export function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
