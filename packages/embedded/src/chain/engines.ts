import { EngineMismatchError, EngineMissingError } from '../errors.ts'
import { anvil } from './anvil/anvil-engine.ts'
import { edr } from './edr/edr-engine.ts'
import type { ChainEngine, EngineName } from './engine.ts'

/** In the order of preference: anvil answers faster, EDR is made for every platform. */
const engines: readonly ChainEngine[] = [anvil, edr]

export const allEngines = (): readonly ChainEngine[] => engines

export function engineCalled(name: EngineName): ChainEngine {
  return name === 'anvil' ? anvil : edr
}

/** The one that is asked for, else the one that made the chain in the folder, else the best that is installed. */
export function chooseEngine(wanted: EngineName | undefined, folder: string | undefined): ChainEngine {
  const made = folder === undefined ? undefined : engines.find((engine) => engine.hasChain(folder))
  const chosen = wanted ? engineCalled(wanted) : (made ?? engines.find((engine) => engine.isInstalled()) ?? edr)
  if (made && made !== chosen) throw new EngineMismatchError(folder ?? '', made.name, chosen.name)
  if (!chosen.isInstalled()) throw new EngineMissingError(chosen.name, made && folder)
  return chosen
}

/** Which engine made the chain in a folder, if there is one. */
export function engineOf(folder: string): EngineName | undefined {
  return engines.find((engine) => engine.hasChain(folder))?.name
}
