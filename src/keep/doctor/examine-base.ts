/** Everything a doctor looks at. Loaded when one is called: a question from a shell reads none of it. */
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { examineDocuments } from './doctor-documents.ts'
import { examineMachine } from './doctor-machine.ts'
import { examineModel } from './doctor-model.ts'
import { examineStore } from './doctor-store.ts'
import { examineSurfaces } from './doctor-surfaces.ts'
import { examine } from './doctor.ts'
import type { Diagnosis, Finding, Patient } from './doctor.ts'

/**
 * `own` is what the base itself says, which reading every file again may mend; `warning` is what
 * opening it for writing had to say.
 */
export async function examineBase(
  kb: Knowledge,
  patient: Patient,
  warning: string | undefined,
): Promise<{ readonly own: Diagnosis; readonly diagnosis: Diagnosis }> {
  const { config, store, sources } = patient
  const own = await examine(patient)
  const more = async (): Promise<readonly Finding[]> => [
    ...(await examineMachine(config, store)),
    ...(await examineStore(store)),
    ...(await examineModel(config.embedding, store)),
    ...(await examineDocuments(sources.values())),
    ...(await examineSurfaces(kb, config.surfaces)),
    ...(warning === undefined ? [] : [{ level: 'warning' as const, what: warning }]),
  ]
  // A damaged index has been found out already; what else it would say proves nothing.
  return { own, diagnosis: withMore(own, own.damaged ? [] : await more()) }
}

function withMore({ findings }: Diagnosis, more: readonly Finding[]): Diagnosis {
  const all = [...findings, ...more]
  return { ok: all.every(({ level }) => level !== 'error'), findings: all }
}
