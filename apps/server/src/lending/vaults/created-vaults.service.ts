import { type Address, zeroAddress } from 'viem'
import { listWallets } from '../../access/index.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import type { Sql, TenantDatabase } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { at } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { showRecord } from './read-vaults.service.ts'
import { readCreatedVault } from './vault-code.ts'
import * as store from './vaults.store.ts'

/** The first owner of a vault is named by its constructor: that event is the proof of a creation. */
export const creation = at('vault', 'transferOwnership', 'OwnershipTransferred')
export const firstOwner = { previousOwner: zeroAddress } as const

/** More creations than that in one transaction are not looked at. */
const MOST_CANDIDATES = 8

export async function walletsOf(tenant: TenantDatabase): Promise<Address[]> {
  const rows = await tenant.read((sql) => listWallets(sql, tenant.instanceId))
  return rows.map(({ address }) => address as Address)
}

/** The first contract that the transaction created and that is a vault of this release; null: there is none. */
export async function findCreated(chain: Chain, factory: Address, { logs }: MinedTransaction) {
  const emitters = [...new Set(logs.map(({ address }) => address))]
  const created = emitters.flatMap((address) => {
    const first = creation.settle(address, logs).find(({ effect }) => creation.isFor(effect, firstOwner))
    return first ? [{ address, owner: first.effect.newOwner }] : []
  })
  for (const { address, owner } of created.slice(0, MOST_CANDIDATES)) {
    const vault = await readCreatedVault(chain, address, owner, factory)
    if (vault) return { ...vault, address, owner }
  }
  return null
}

type Created = NonNullable<Awaited<ReturnType<typeof findCreated>>>

/** Puts it on record for the instance that confirms its creation. */
export function recordCreated(
  { clock, random }: LendingParts,
  { instanceId }: TenantDatabase,
  { owner: _owner, ...vault }: Created,
  { chainId, block, hash }: MinedTransaction & { readonly chainId: number },
) {
  const made = { chainId, createdAt: new Date(block.time * 1000), deployTx: hash }
  return (sql: Sql) => store.insertVault(sql, instanceId, { ...vault, ...made, vaultId: newId(clock, random) })
}

export async function showCreated(tenant: TenantDatabase, chainId: number, address: Address) {
  const [record] = await tenant.read((sql) => store.findVault(sql, tenant.instanceId, chainId, address))
  if (!record) throw new Error('a confirmed vault left no record')
  return showRecord(record)
}
