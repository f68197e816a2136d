import type { lendingOperations, QueryOf } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { allValues, contractRead } from '../../platform/chain/contract-read.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import { abis } from '../contracts.ts'
import { readAt } from '../fees/index.ts'
import type { LendingParts } from '../parts.ts'
import { addEarnings, earningOf, operatorEarningOf, shownAmount, shownEarning } from './earnings.rules.ts'
import { type DistributorRow, type EarningsRow, readEarnings } from './earnings.store.ts'
import { assetOf, findOwnVault, type VaultCall } from './own-vault.ts'
import type { OwnVault } from './vaults.store.ts'

type EarningsQuery = QueryOf<typeof lendingOperations.getVaultEarnings>

/** Block and place in the block of the first binding. */
const CURSOR = /^\d{1,30} \d{1,9}$/
/** Ahead of everything. */
const START = ['9'.repeat(30), '999999999'] as const

const sum = (values: readonly bigint[]) => values.reduce((so, one) => so + one, 0n)

/** Who earned what by a vault: its events, held against the chain at the block that they are known to. */
export function createEarnings({ chains }: LendingParts) {
  async function readOwed(vault: OwnVault, syncedBlock: string, distributors: readonly Address[]) {
    const markets = vault.markets.map(({ address }) => address)
    const { block, latest, results } = await readAt(chains.get(Number(vault.chainId)), BigInt(syncedBlock), [
      contractRead(vault.address, abis.vault, 'owner', []),
      contractRead(vault.address, abis.vault, 'totalSupply', []),
      contractRead(vault.address, abis.vault, 'distributorFeesOf', [zeroAddress]),
      ...distributors.map((one) => contractRead(vault.address, abis.vault, 'distributorFeesOf', [one])),
      ...markets.map((market) => contractRead(market, abis.market, 'distributorFeesPayable', [vault.address])),
    ])
    const [owner, totalSupply, ofOperator, ...rest] = results
    const figures = allValues([totalSupply, ofOperator, ...rest] as const)
    if (!owner.ok || !figures) throw new AppError('VAULT_STATE_UNAVAILABLE')
    const [supply = 0n, operatorOwed = 0n, ...more] = figures
    return {
      block,
      latest,
      owner: owner.value.toLowerCase() as Address,
      supply,
      operatorOwed,
      owedTo: new Map(distributors.map((one, index) => [one, more[index] ?? 0n])),
      payable: markets.map((_, index) => more[distributors.length + index] ?? 0n),
    }
  }

  async function told(call: VaultCall, vault: OwnVault, query: EarningsQuery) {
    const { syncedBlock } = vault
    const { limit, offset } = pageOf(query, { fallback: 50, most: 200 })
    const [blockNumber = '', blockLogIndex = ''] = readCursor(query.cursor, CURSOR) ?? START
    if (syncedBlock === null) throw new AppError('VAULT_STATE_UNAVAILABLE')
    const place = { chainId: call.chainId, vault: vault.address, syncedBlock, wallets: vault.wallets }
    const request = { ...place, limit, offset, after: { blockNumber, blockLogIndex } }
    const [row] = await call.tenant.read((sql) => readEarnings(sql, request))
    if (!row) throw new Error('sums without a row')
    return { row, syncedBlock, limit, offset }
  }

  function showPage({ total, page }: EarningsRow, limit: number, offset: number) {
    const last: DistributorRow | undefined = page.at(-1)
    const hasMore = offset + page.length < total
    const nextCursor = last && hasMore ? asCursor([last.blockNumber, String(last.blockLogIndex)]) : null
    return { total, hasMore, limit, offset, nextCursor }
  }

  return async function get(call: VaultCall, vaultAddress: string, query: EarningsQuery) {
    const vault = await findOwnVault(call, vaultAddress)
    const { row, syncedBlock, limit, offset } = await told(call, vault, query)
    const named = [...new Set([...row.own, ...row.page].map(({ distributor }) => distributor))]
    const read = await readOwed(vault, syncedBlock, named)
    const { supply, owedTo, payable, owner, block, latest } = read
    const { assetDecimals: decimals, wallets } = vault
    const uncollected = { fees: sum(payable), supply }
    const ofRow = ({ distributor, shares, paid }: DistributorRow) =>
      earningOf(BigInt(shares), BigInt(paid), owedTo.get(distributor) ?? 0n, uncollected)
    const shownRow = (one: DistributorRow) => ({
      distributor: one.distributor,
      own: wallets.includes(one.distributor),
      ...shownEarning(ofRow(one), decimals, supply),
      boundHolders: one.holders,
    })
    const unattributed = supply - BigInt(row.attributedShares)
    const ofOperator = operatorEarningOf(unattributed, BigInt(row.operatorPaid), read.operatorOwed, uncollected)
    const collected = sum(row.collections.map(({ amount }) => BigInt(amount)))
    const amount = (raw: bigint) => shownAmount(raw, decimals)
    const data = {
      vaultAddress: vault.address,
      asset: assetOf(vault),
      ...shownEarning(addEarnings(row.own.map(ofRow)), decimals, supply),
      boundHolders: row.own.reduce((so, { holders }) => so + holders, 0),
      wallets: row.own.map(shownRow),
      operator: {
        recipient: owner,
        own: wallets.includes(owner),
        ...shownEarning(ofOperator, decimals, supply),
      },
      totals: {
        collected: amount(collected),
        paid: amount(BigInt(row.paid)),
        outstanding: amount(collected - BigInt(row.paid)),
        uncollected: amount(uncollected.fees),
      },
      markets: vault.markets.map(({ address, marketId }, index) => {
        const found = row.collections.find(({ market }) => market === address)
        return {
          marketAddress: address,
          marketId,
          collected: amount(BigInt(found?.amount ?? 0)),
          uncollected: amount(payable[index] ?? 0n),
          lastCollectedAt: found ? new Date(found.lastAt * 1000).toISOString() : null,
        }
      }),
      payouts: row.payouts.map(({ kind, recipient, amount: raw, txHash, blockTime }) => ({
        kind,
        recipient,
        amount: formatUnits(BigInt(raw), decimals),
        amountRaw: raw,
        txHash,
        at: new Date(blockTime * 1000).toISOString(),
      })),
      distributors: row.page.map(shownRow),
      ...showPage(row, limit, offset),
      history: {
        syncedBlock,
        latestBlock: latest.number.toString(),
        complete: BigInt(syncedBlock) >= latest.number,
      },
    }
    return { data, block }
  }
}

export type Earnings = ReturnType<typeof createEarnings>
