/** How do words become stems? A digest of the stems of words that use every rule of the stemmer. */
import { hash } from 'node:crypto'
import { contentTerms, CONTENT_TERMS_ID } from '../../src/core/search/analysis/content-terms.ts'

const PROBE = `
agreed hopping hoping luxuriated fizzed caresses ties cries gaps kiwis dogs news skies dying lying early
only inning proceeds succeeded boyish youth consistency consistently conspiracy generalizations generically
communism hopefulness relational conditional rationally geology kindly adjustable replacement adoption
knightly knots controlling rate cease rolling fallen vietnamization predication operator feudalism
decisiveness callousness formality sensitivity sensibility triplicate formative formalize electricity
electrical goodness revival allowance inference airliner gyroscopic irritant dependent activate angularity
homologous effective bowdlerize probate controll roll university universe universal organized organization
templates templater templating vacation vacations upgrade upgrading deployment deployments roll-back rollback
getUserById snake_case HTTPServer don't user's naive café state-of-the-art C++ 1.2.3 well-known email e-mail
the and of is a who which running runs ran better best children mice data analyses analysis criteria
`

export function analysisDigest(): string {
  return hash('sha256', `${CONTENT_TERMS_ID} ${contentTerms(PROBE).join(' ')}`).slice(0, 16)
}
