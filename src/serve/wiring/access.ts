/** Who is let in over HTTP, by the settings and the tokens of a base. */
import { join } from 'node:path'
import { openClientDocuments } from '../access/client-documents.ts'
import { openAccess } from '../access/open-access.ts'
import { misnamedIn } from '../access/named-folders.ts'
import { createGuesses } from '../access/guesses.ts'
import { openIssuer } from '../access/open-issuer.ts'
import { openTokens } from '../access/open-tokens.ts'
import type { Tokens } from '../access/open-tokens.ts'
import { openSignIn } from '../access/sign-in.ts'
import { openWebSession } from '../access/web-session.ts'
import type { Caller } from '../../core/domain/caller.ts'
import { invalid } from '../../core/domain/error.ts'
import type { SignIns } from '../../core/domain/sign-ins.ts'
import type { Config } from '../config/config.ts'
import type { Access } from '../transports/http/authentication.ts'

export function tokensOf({ state }: Pick<Config, 'state'>): Tokens {
  return openTokens(join(state, 'tokens.json'))
}

export interface AccessInput {
  readonly log: (message: string) => void
  /** Tokens besides those of the base, such as a surface has in its environment. */
  readonly callerOf?: ((token: string) => Caller | undefined) | undefined
  /** Once the base is open. */
  readonly signIns: Promise<SignIns>
  /** Which paths are those of the page for people, where there is one. */
  readonly isPage?: ((path: string) => boolean) | undefined
}

export function accessOf(config: Config, { log, callerOf, signIns, isPage }: AccessInput): Access {
  const { issuer, audience, keysUrl, signIn, rules } = config.access ?? {}
  const tokens = tokensOf(config)
  const guesses = createGuesses()
  // Said, not refused: folders that are named on the command line take the place of those in the file.
  const wrong = misnamedIn(
    (rules ?? []).flatMap(({ see, hide, write }) => [...see, ...hide, ...write]),
    config.sources.map(({ name }) => name),
  )
  if (wrong) log(`access.rules: ${wrong.message} ${wrong.hint}`)
  // So that whoever has signed in is known also when the database is gone.
  if (signIn) void signIns.then((kept) => kept.key()).catch(() => {})
  return openAccess({
    tokens: {
      areNeeded: () => callerOf !== undefined || tokens.areNeeded(),
      callerOf: (token) => callerOf?.(token) ?? tokens.callerOf(token),
    },
    ...(signIn && {
      signIn: openSignIn({
        tokens,
        origin: originOf(config),
        signIns,
        guesses,
        documents: openClientDocuments(),
      }),
    }),
    ...(isPage && { web: openWebSession({ tokens, signIns, guesses, isPage }) }),
    ...(issuer !== undefined &&
      audience !== undefined && {
        issuer: openIssuer({
          url: issuer,
          audiences: [audience, ...addressesOf(config)],
          ...(keysUrl && { keysUrl }),
          ...(rules && { rules }),
          log,
        }),
      }),
  })
}

/** What a client may have named as the resource that it wants a token for. */
function addressesOf({ http: { publicUrl }, surfaces }: Config): readonly string[] {
  if (publicUrl === undefined) return []
  const { origin } = new URL(publicUrl)
  const paths = ['', '/', '/mcp', ...surfaces.map((name) => `/mcp/${name}`)]
  return paths.map((path) => `${origin}${path}`)
}

/** Clients are sent back and forth between addresses, so ours has to be known. */
function originOf({ http: { publicUrl } }: Config): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin
  throw invalid(
    'Clients cannot sign in at an address that nobody knows.',
    'Set http.publicUrl (--public-url) to the address under which they reach this server.',
  )
}
