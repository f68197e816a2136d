import { AsyncLocalStorage } from 'node:async_hooks'

/** Whether what runs now has a transaction of the database open. */
interface Scope {
  isOpen: boolean
}

/** Undefined: nobody watches. Whoever does makes every promise of its process three times as slow, so servers do not, and tests do. */
let scopes: AsyncLocalStorage<Scope> | undefined

/** From now on, asking a node while a transaction is open is an error. */
export function watchTransactions(): void {
  scopes ??= new AsyncLocalStorage()
}

export const insideTransaction = <T>(work: () => Promise<T>): Promise<T> =>
  scopes ? scopes.run({ isOpen: true }, work) : work()

/** For work that opens and ends one on its way, and says so. */
export const mayOpenTransaction = <T>(work: (say: (isOpen: boolean) => void) => Promise<T>): Promise<T> => {
  const scope: Scope = { isOpen: false }
  const run = () =>
    work((isOpen) => {
      scope.isOpen = isOpen
    })
  return scopes ? scopes.run(scope, run) : run()
}

/**
 * A node may take as long as it likes to answer. A transaction that waited for it would hold its connection and its locks meanwhile, and
 * everybody else with them: it is a mistake in the code, never of the moment.
 */
export function requireNoTransaction(what: string): void {
  if (scopes?.getStore()?.isOpen) throw new Error(`${what} while a transaction of the database is open`)
}
