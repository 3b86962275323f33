/** When something is done by itself: after so long, or when a pattern of cron says so (UTC). */
export type Schedule = { readonly everyMs: number } | { readonly cron: string }
