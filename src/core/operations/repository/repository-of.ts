/** The program that a view looks at, for questions that only a program can answer. */
import { unsupported } from '../../domain/error.ts'
import type { View } from '../view/view.ts'
import { openRepository } from './open-repository.ts'
import type { Repository } from './open-repository.ts'

/** One for every view: what it knows of texts and of git is worth keeping. */
const repositories = new WeakMap<View, Repository>()

export function repositoryOf(kb: View): Repository {
  const known = repositories.get(kb)
  if (known) return known
  const source = [...kb.sources.values()].find(({ holdsCode }) => holdsCode)
  const workTree = source && kb.workTreeOf?.(source.name)
  if (!source || !workTree) {
    throw unsupported(
      'No source of this base is the folder of a program.',
      'Serve one that has a package.json, pyproject.toml, go.mod or the like at its top.',
    )
  }
  const repository = openRepository(kb.base, { source: source.name, workTree, sees: kb.sees })
  repositories.set(kb, repository)
  return repository
}
