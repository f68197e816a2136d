import { AsyncLocalStorage } from 'node:async_hooks'

/** Whether what runs now has a transaction of the database open. */
interface Scope {
  isOpen: boolean
}

const scopes = new AsyncLocalStorage<Scope>()

export const insideTransaction = <T>(work: () => Promise<T>): Promise<T> => scopes.run({ isOpen: true }, work)

/** For work that opens and ends one on its way, and says so. */
export const mayOpenTransaction = <T>(work: (say: (isOpen: boolean) => void) => Promise<T>): Promise<T> => {
  const scope: Scope = { isOpen: false }
  return scopes.run(scope, () =>
    work((isOpen) => {
      scope.isOpen = isOpen
    }),
  )
}

/**
 * A node may take as long as it likes to answer. A transaction that waited for it would hold its connection and its locks meanwhile, and
 * everybody else with them: it is a mistake in the code, never of the moment.
 */
export function requireNoTransaction(what: string): void {
  if (scopes.getStore()?.isOpen) throw new Error(`${what} while a transaction of the database is open`)
}
