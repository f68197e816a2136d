import type { BodyOf, tradingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import { readBounded } from '../../platform/chain/bounded-reads.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { asOrderBook, type BookRow, classOf } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import type { TradingParts } from '../parts.ts'
import { stepOf } from '../signed/index.rules.ts'
import { createOffChainMove } from './off-chain.service.ts'
import { publishedCfid } from './published-class.ts'
import { securityPlace } from './security-place.rules.ts'
import { operatorStep, readSecurityState, securityProofs } from './security-setup.service.ts'
import { asSetup } from './setup.rules.ts'
import { checkSetupTransactions } from './setup-transactions.ts'
import { symbolRead } from './token-rules.reads.ts'

type UpdateBody = BodyOf<typeof tradingOperations.updateOrderBook>

const refuse = (detail: string) => new AppError('INVALID_CONFIG', { detail })

/** What an owner changes; where the chain has a say in it, it is asked first. */
export function createBookChanges(parts: TradingParts & { books: BooksService }) {
  const { chains, books } = parts
  const goOffChain = createOffChainMove(parts)

  /** The new operator must be one already, by the settlement contract's own word. */
  async function operatorFor(row: BookRow, text: string, hashes: UpdateBody['custodySetupTxs']): Promise<Address> {
    if (row.class !== 'external-securities')
      throw refuse('Only books of external securities have a settlementOperator.')
    const operator = requireAddressField('settlementOperator', text)
    if (operator === zeroAddress) throw refuse('settlementOperator must be a wallet that somebody has.')
    const pair = { ...securityPlace(row), operator }
    const chain = chains.get(Number(row.chainId))
    await checkSetupTransactions(chain, hashes, securityProofs(pair))
    const state = await readSecurityState(chain, pair)
    if (!state.isOperator)
      throw new AppError('CUSTODY_SETUP_REQUIRED', {
        extra: { setup: asSetup(chain.chainId, pair.settlement, [operatorStep(pair, state.admin)]) },
      })
    return operator
  }

  async function cfidFor(tenant: TenantDatabase, row: BookRow) {
    const token = row.tokenAddress
    const { results } = await readBounded(chains.get(Number(row.chainId)), { symbol: symbolRead(token) })
    const symbol = results.symbol.ok ? results.symbol.value : null
    const market = { quoteToken: row.quoteTokenAddress, custodyContract: row.custodyContract ?? '' }
    return publishedCfid(tenant, token, symbol, market)
  }

  /** Fees that nobody could be paid would keep every trade from settling. */
  async function requireFeeRecipient(row: BookRow, request: UpdateBody): Promise<void> {
    const isRaised = (request.makerFeeBps ?? 0) > 0 || (request.takerFeeBps ?? 0) > 0
    if (row.class !== 'external-securities' || !isRaised) return
    const { feeRecipient } = await readSecurityState(chains.get(Number(row.chainId)), securityPlace(row))
    if (feeRecipient === null)
      throw refuse('Fees need a recipient: the admin of the security calls setFeeRecipient first.')
  }

  function requireTick(row: BookRow, tickSize: string | undefined): void {
    if (tickSize === undefined || row.quoteDecimals === null) return
    const step = stepOf(row.quoteDecimals)
    if (BigInt(tickSize) % step !== 0n)
      throw refuse(`tickSize must be a multiple of ${step}: the quote token tells no less.`)
  }

  async function changeMode(tenant: TenantDatabase, row: BookRow, request: UpdateBody) {
    if (Object.keys(request).length > 1) throw refuse('Send settlementMode alone.')
    if (request.settlementMode === row.settlementMode) return
    if (request.settlementMode === 'ON_CHAIN') throw new AppError('ONCHAIN_SETTLEMENT_UNAVAILABLE')
    if (row.class !== 'stocks') throw refuse('Only stocks are traded off chain.')
    await goOffChain(tenant, row)
  }

  return {
    async update(tenant: TenantDatabase, caller: Caller, mountedAt: string, bookId: string, body: UpdateBody) {
      const bookClass = classOf(mountedAt)
      const row = await books.require(tenant, bookId, bookClass)
      if (row.instanceId !== tenant.instanceId) throw new AppError('ORDER_BOOK_NOT_FOUND')
      if (body.settlementMode !== undefined) {
        await changeMode(tenant, row, body)
        return asOrderBook(await books.require(tenant, bookId, bookClass))
      }
      const { settlementMode: _, settlementOperator, custodySetupTxs, ...request } = body
      requireTick(row, request.tickSize)
      await requireFeeRecipient(row, request)
      const isPooling = request.allowSharedLiquidity === true && row.class === 'commodities'
      return books.update(tenant, caller, row, {
        ...request,
        ...(settlementOperator === undefined
          ? {}
          : { settlementOperator: await operatorFor(row, settlementOperator, custodySetupTxs) }),
        ...(isPooling ? { cfid: await cfidFor(tenant, row) } : {}),
      })
    },
  }
}

export type BookChanges = ReturnType<typeof createBookChanges>
