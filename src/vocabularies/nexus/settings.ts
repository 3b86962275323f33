/** What an operator can turn on and off, as far as this surface cares. */
export interface NexusSettings {
  readonly title: string
  /** Whether tools are served over HTTP at all. */
  readonly tools: boolean
  readonly search: boolean
  /** Whether questions may be answered, once somebody can write answers. */
  readonly ai: boolean
  readonly importExport: boolean
}

export const NEXUS_DEFAULTS: NexusSettings = {
  title: 'Nexus',
  tools: true,
  search: true,
  ai: false,
  importExport: true,
}
