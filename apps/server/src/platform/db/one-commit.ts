import { mayOpenTransaction } from '../transaction-scope.ts'
import { actAs, type OpenTransaction, type Sql, type TenantDatabase } from './database.ts'
import { translated } from './errors.ts'

/** Several transactions of one request that end in one commit. */
export interface OneCommit {
  readonly tenant: TenantDatabase
  /** `last` is part of the commit. */
  commit(last: (sql: Sql) => Promise<void>): Promise<void>
  /** What waited for the commit. */
  afterwards(): Promise<void>
  /** Takes back whatever was done through the view. */
  undo(): Promise<void>
}

/**
 * A view of an instance's rows in which the first transaction stays open and the others join it. Until then reads have no transaction, so
 * that nothing is held while the chain is asked; `say` is told when one is open.
 */
export function inOneCommit(tenant: TenantDatabase, say: (isOpen: boolean) => void): OneCommit {
  let opening: Promise<OpenTransaction> | undefined
  const afterwards: (() => Promise<void>)[] = []

  async function joined(): Promise<Sql> {
    say(true)
    opening ??= tenant.begin()
    return (await opening).sql
  }

  async function endOpen(how: (open: OpenTransaction) => Promise<void>): Promise<void> {
    const open = await opening?.catch(() => undefined)
    if (open) await how(open)
    say(false)
  }

  return {
    tenant: {
      ...tenant,
      joined,
      read: (query) => (opening ? translated(async () => [...(await query(await joined()))]) : tenant.read(query)),
      transaction: (work) =>
        translated(async () => {
          const sql = await joined()
          const value = await work(sql)
          // A transaction of its own would have ended, and its role with it.
          await actAs(sql, 'tally_api')
          return value
        }),
      onceCommitted: async (work) => {
        afterwards.push(work)
      },
    },
    async commit(last) {
      await translated(async () => last(await joined()))
      await endOpen((open) => open.commit())
    },
    async afterwards() {
      for (const work of afterwards) await work()
    },
    undo: () => endOpen((open) => open.rollback()),
  }
}

/** Whatever `run` writes is one commit, or nothing is. */
export const runInOneCommit = <T>(tenant: TenantDatabase, run: (tenant: TenantDatabase) => Promise<T>): Promise<T> =>
  mayOpenTransaction(async (say) => {
    const work = inOneCommit(tenant, say)
    let result: T
    try {
      result = await run(work.tenant)
      await work.commit(async () => undefined)
    } catch (error) {
      await work.undo()
      throw error
    }
    await work.afterwards()
    return result
  })
