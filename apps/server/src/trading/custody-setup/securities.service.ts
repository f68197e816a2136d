import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import { prefixed, withoutPrefix } from '../../platform/chain/bounded-reads.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { transactionOf } from '../../platform/chain/unsigned-call.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { listActiveOfFramework } from '../../tokens/index.ts'
import type { BookRow } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import type { TradingParts } from '../parts.ts'
import { ORDER_TYPES, orderDomain } from '../signed/index.rules.ts'
import { walletBacking, walletReads } from './balance.reads.ts'
import { asBalance, chainAmountUp } from './balance.rules.ts'
import { silent } from './balances.service.ts'
import { custodyContractsOf, readReserved } from './custody.store.ts'
import { shownSecurity } from './security.rules.ts'
import { securityPlace } from './security-place.rules.ts'
import { readSecurityState } from './security-setup.service.ts'

type WalletResults = NamedResults<ReturnType<typeof walletReads>>

/** Both sides of a wallet, beside what is asked about the security. */
const userReads = (
  { settlement, token, quote }: { settlement: Address; token: Address; quote: Address },
  user: Address,
) => ({
  ...prefixed('base_', walletReads(settlement, user, token)),
  ...prefixed('quote_', walletReads(settlement, user, quote)),
  user_allowance: contractRead(quote, erc20Abi, 'allowance', [user, settlement]),
})

/** External securities, and the settlement contract between the wallets of their holders. */
export function createSecurities({ chains, books }: TradingParts & { books: BooksService }) {
  async function balancesOf(tenant: TenantDatabase, row: BookRow, user: Address, asked: object) {
    const [chainId, custodyContract] = [Number(row.chainId), row.custodyContract ?? '']
    const rows = await tenant.read((sql) => readReserved(sql, { chainId, custodyContract, holder: user }))
    const shown = (prefix: string, token: string) => {
      const found = walletBacking(withoutPrefix<WalletResults>(prefix, asked))
      if (!found) throw silent()
      const { backing, decimals } = found
      const reserved = rows.find(({ tokenAddress }) => tokenAddress === token)?.reserved ?? 0n
      return asBalance(backing, chainAmountUp(reserved, decimals))
    }
    const { allowance } = withoutPrefix<{ allowance: ReadResult<bigint> }>('user_', asked)
    return {
      balances: { base: shown('base_', row.tokenAddress), quote: shown('quote_', row.quoteTokenAddress) },
      quoteAllowance: (allowance.ok ? allowance.value : 0n).toString(),
    }
  }

  return {
    async custodyContract(tenant: TenantDatabase, { instance }: Caller) {
      const contracts = await custodyContractsOf(tenant, instance.chainId)
      const custodyContract = contracts.get('external-securities') ?? null
      return { custodyContract, instanceType: instance.environment, available: custodyContract !== null }
    },

    async tokens(tenant: TenantDatabase) {
      const rows = await tenant.read((sql) => listActiveOfFramework(sql, tenant.instanceId, 'erc3643'))
      return {
        tokens: rows.map((row) => ({
          id: row.importId,
          tokenAddress: row.tokenAddress,
          name: row.name,
          symbol: row.symbol,
          decimals: row.decimals,
          framework: 'erc3643' as const,
          assetType: row.assetType,
          imageURI: row.imageURI,
          totalSupply: row.totalSupplyRaw.toString(),
          status: 'active' as const,
          importedAt: row.importedAt.toISOString(),
        })),
      }
    },

    async get(tenant: TenantDatabase, bookId: string, userAddress: string | undefined) {
      const row = await books.require(tenant, bookId, 'external-securities')
      const user = userAddress === undefined ? null : requireAddressField('userAddress', userAddress)
      const { tokenAddress, quoteTokenAddress, baseDecimals, quoteDecimals } = row
      const chain = chains.get(Number(row.chainId))
      const place = securityPlace(row)
      const custodyContract = place.settlement
      const ofUser = user ? userReads(place, user) : {}
      const state = await readSecurityState(chain, place, ofUser)
      const balances = user ? await balancesOf(tenant, row, user, state.more) : {}
      const data = {
        orderBookId: row.bookId,
        custodyContract,
        tokenAddress,
        quoteTokenAddress,
        underlyingIdentifier: row.underlyingIdentifier,
        baseDecimals: baseDecimals ?? 0,
        quoteDecimals: quoteDecimals ?? 0,
        settlementOperator: row.settlementOperator,
        security: shownSecurity(state),
        eip712: {
          domain: orderDomain(row.class, row.chainId, custodyContract),
          types: { Order: ORDER_TYPES.Order.map((field) => ({ ...field })) },
        },
        ...balances,
      }
      return { data, block: state.block }
    },

    async approval(tenant: TenantDatabase, bookId: string, amount: string) {
      const row = await books.require(tenant, bookId, 'external-securities')
      if (row.status !== 'ACTIVE') throw new AppError('ORDER_BOOK_INACTIVE')
      const args = [securityPlace(row).settlement, BigInt(amount)] as const
      const call = {
        to: row.quoteTokenAddress,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
        value: 0n,
      }
      const transaction = transactionOf(chains.get(Number(row.chainId)), call)
      const description = `Lets the settlement contract take up to ${amount} smallest units from the wallet that signs.`
      const data = { action: 'SIGN_TRANSACTION' as const, transaction, functionName: 'approve' as const, description }
      return { data, calls: [{ ...transaction, description }] }
    },
  }
}

export type Securities = ReturnType<typeof createSecurities>
