/** How long tests wait for what has to come: a guard, longer than it takes on a busy machine. */
export const SOON = { timeout: 150_000, interval: 20 }
