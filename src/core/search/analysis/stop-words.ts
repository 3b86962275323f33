/**
 * English words that say nothing about a document's subject. They are indexed, so that phrases
 * such as "to be or not to be" are found, and are left out of a query when other words remain.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being
  below between both but by can could did do does doing down during each few for from further had
  has have having he her here hers herself him himself his how i if in into is it its itself just
  me more most my myself no nor not now of off on once only or other our ours ourselves out over
  own same shall she should so some such than that the their theirs them themselves then there
  these they this those through to too under until up upon us very was we were what when where
  which while who whom why will with would you your yours yourself yourselves
  don't doesn't didn't isn't aren't wasn't weren't can't won't it's i'm you're what's that's
  dont doesnt isnt cant im whats s t`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
