import type { BodyOf, tradingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { readActiveImport } from '../../tokens/index.ts'
import { type BookClass, unitOfClass } from '../books/index.rules.ts'
import type { BooksService, NewBook } from '../books/index.ts'
import type { TradingParts } from '../parts.ts'
import { stepOf } from '../signed/index.rules.ts'
import { custodyContractsOf, findOpenPair } from './custody.store.ts'
import { publishedCfid } from './published-class.ts'
import { readSecurityState, type SecurityPair, securityProofs, securitySteps } from './security-setup.service.ts'
import { asSetup, type SetupStep } from './setup.rules.ts'
import { checkSetupTransactions } from './setup-transactions.ts'
import { isUsable } from './token-rules.rules.ts'
import { readVaultState, type VaultPair, vaultProofs, vaultSteps } from './vault-setup.service.ts'

type StockRequest = BodyOf<typeof tradingOperations.createStockBook>
type CommodityRequest = BodyOf<typeof tradingOperations.createCommodityBook>
type SecurityRequest = BodyOf<typeof tradingOperations.createSecurityBook>

const refuseConfig = (detail: string) => new AppError('INVALID_CONFIG', { detail })

function pairOf(request: { tokenAddress: string; quoteTokenAddress: string }): { base: Address; quote: Address } {
  const base = requireAddressField('tokenAddress', request.tokenAddress)
  const quote = requireAddressField('quoteTokenAddress', request.quoteTokenAddress)
  if (base === quote) throw new AppError('INVALID_PAIR')
  return { base, quote }
}

function requireSetUp(chainId: number, custody: Address, steps: readonly SetupStep[]): void {
  if (steps.length > 0)
    throw new AppError('CUSTODY_SETUP_REQUIRED', {
      detail: `Transactions have to be signed first: ${steps.map(({ key }) => key).join(', ')}. Send them, then repeat this request with their hashes.`,
      extra: { setup: asSetup(chainId, custody, steps) },
    })
}

/** Every price must be one that the quote token can tell. */
function tickOf(tickSize: string | undefined, quoteDecimals: number): string {
  const step = stepOf(quoteDecimals)
  const tick = tickSize === undefined ? step : BigInt(tickSize)
  if (tick % step !== 0n) throw refuseConfig(`tickSize must be a multiple of ${step}: the quote token tells no less.`)
  return tick.toString()
}

/** Books whose trades settle on chain: made once the custody contract is ready for them, by its own word. */
export function createBookCreation({ chains, books }: TradingParts & { books: BooksService }) {
  /** Refuses before anybody signs anything in vain. */
  async function custodyFor(tenant: TenantDatabase, caller: Caller, pair: { base: Address; quote: Address }) {
    const { chainId } = caller.instance
    const [contracts, open] = await Promise.all([
      custodyContractsOf(tenant, chainId),
      tenant.read((sql) => findOpenPair(sql, tenant.instanceId, pair.base, pair.quote)),
    ])
    if (open.length > 0) throw new AppError('ORDER_BOOK_EXISTS')
    return contracts
  }

  interface OnChain {
    readonly class: BookClass
    readonly custodyContract: Address
    readonly base: Address
    readonly quote: Address
    readonly underlyingIdentifier?: string
    readonly baseDecimals: number
    readonly quoteDecimals: number
  }

  function onChainColumns(caller: Caller, request: { tickSize?: string }, book: OnChain) {
    const { base, quote, custodyContract, underlyingIdentifier } = book
    const key = [String(caller.instance.chainId), book.class, base, quote, custodyContract, underlyingIdentifier ?? '']
    return {
      class: book.class,
      settlementMode: 'ON_CHAIN' as const,
      custodyContract,
      ...(underlyingIdentifier === undefined ? {} : { underlyingIdentifier }),
      baseDecimals: book.baseDecimals,
      quoteDecimals: book.quoteDecimals,
      tickSize: tickOf(request.tickSize, book.quoteDecimals),
      unitId: unitOfClass(key),
    }
  }

  async function readyVault(
    caller: Caller,
    pair: VaultPair,
    hashes: Readonly<Record<string, string | undefined>> | undefined,
    isStock: boolean,
  ) {
    const chain = chains.get(caller.instance.chainId)
    await checkSetupTransactions(chain, hashes, vaultProofs(pair))
    const state = await readVaultState(chain, pair)
    return { state, steps: vaultSteps(pair, state, isStock) }
  }

  function decimalsIn({ baseDecimals, quoteDecimals }: { baseDecimals: number | null; quoteDecimals: number | null }) {
    if (!isUsable(baseDecimals) || !isUsable(quoteDecimals)) throw new AppError('TOKEN_METADATA_UNAVAILABLE')
    return { baseDecimals, quoteDecimals }
  }

  function requireNothingOfAChain(request: StockRequest): void {
    for (const field of ['custodyContract', 'underlyingIdentifier', 'custodySetupTxs'] as const)
      if (request[field] !== undefined) throw refuseConfig(`An off-chain book takes no ${field}.`)
    if (request.allowImport || request.allowSharedLiquidity)
      throw refuseConfig('An off-chain book can neither be imported nor pooled.')
  }

  return {
    async createStock(tenant: TenantDatabase, caller: Caller, request: StockRequest) {
      const { settlementMode = 'OFF_CHAIN', tokenType = 'STOCK_TOKEN', custodySetupTxs: hashes, ...rest } = request
      const common = { ...rest, tokenType, class: 'stocks' as const } satisfies Partial<NewBook>
      if (settlementMode === 'OFF_CHAIN') {
        requireNothingOfAChain(request)
        return books.create(tenant, caller, { ...common, settlementMode })
      }
      if (tokenType !== 'STOCK_TOKEN') throw refuseConfig('A LIGHT_TOKEN trades on chain as a commodity.')
      const pair = pairOf(request)
      if (request.custodyContract === undefined) throw new AppError('NO_CUSTODY_CONTRACT')
      const vault = requireAddressField('custodyContract', request.custodyContract)
      await books.requireSound(common)
      const contracts = await custodyFor(tenant, caller, pair)
      if (contracts.get('stocks') !== vault) throw new AppError('INVALID_CUSTODY_CONTRACT')
      const { state, steps } = await readyVault(caller, { vault, ...pair }, hashes, true)
      if (state.isin === null) throw new AppError('TOKEN_NO_ISIN')
      const asked = request.underlyingIdentifier?.toUpperCase()
      if (asked !== undefined && asked !== state.isin)
        throw new AppError('ISIN_MISMATCH', { extra: { onChain: state.isin } })
      requireSetUp(caller.instance.chainId, vault, steps)
      const book = { class: 'stocks', custodyContract: vault, ...pair, underlyingIdentifier: state.isin } as const
      return books.create(tenant, caller, {
        ...common,
        ...onChainColumns(caller, request, { ...book, ...decimalsIn(state) }),
      })
    },

    async createCommodity(tenant: TenantDatabase, caller: Caller, request: CommodityRequest) {
      const { custodySetupTxs: hashes, settlementMode: _, ...rest } = request
      const pair = pairOf(request)
      const vault = requireAddressField('custodyContract', request.custodyContract)
      const common = { ...rest, tokenType: 'LIGHT_TOKEN' as const, class: 'commodities' as const }
      await books.requireSound(common)
      const contracts = await custodyFor(tenant, caller, pair)
      if (contracts.get('stocks') === vault) throw refuseConfig('This is the vault of stocks.')
      if (contracts.get('commodities') !== vault) throw new AppError('INVALID_CUSTODY_CONTRACT')
      const { state, steps } = await readyVault(caller, { vault, ...pair }, hashes, false)
      const market = { quoteToken: pair.quote, custodyContract: vault }
      const cfid = request.allowSharedLiquidity
        ? { cfid: await publishedCfid(tenant, pair.base, state.symbol, market) }
        : {}
      requireSetUp(caller.instance.chainId, vault, steps)
      const book = { class: 'commodities', custodyContract: vault, ...pair } as const
      return books.create(tenant, caller, {
        ...common,
        ...onChainColumns(caller, request, { ...book, ...decimalsIn(state) }),
        ...cfid,
      })
    },

    async createSecurity(tenant: TenantDatabase, caller: Caller, request: SecurityRequest) {
      const { custodySetupTxs: hashes, ...rest } = request
      const { base, quote } = pairOf(request)
      const operator = requireAddressField('settlementOperator', request.settlementOperator)
      if (operator === zeroAddress) throw refuseConfig('settlementOperator must be a wallet that somebody has.')
      const common = { ...rest, tokenType: 'EXTERNAL_SECURITY' as const, class: 'external-securities' as const }
      await books.requireSound(common)
      await requireImport(tenant, base)
      const contracts = await custodyFor(tenant, caller, { base, quote })
      const settlement = contracts.get('external-securities')
      if (!settlement) throw new AppError('CUSTODY_NOT_DEPLOYED')
      if (request.custodyContract !== undefined && request.custodyContract.toLowerCase() !== settlement)
        throw refuseConfig(`The settlement contract of your chain is ${settlement}.`)
      const chain = chains.get(caller.instance.chainId)
      const pair: SecurityPair = { settlement, token: base, quote, operator }
      await checkSetupTransactions(chain, hashes, securityProofs(pair))
      const state = await readSecurityState(chain, pair)
      const decimals = decimalsIn(state)
      const underlyingIdentifier = identifierOf(request.underlyingIdentifier, state)
      if (state.isRegistered && !state.isActive) throw new AppError('SECURITY_INACTIVE')
      requireSetUp(chain.chainId, settlement, securitySteps(pair, state, underlyingIdentifier))
      if (state.feeRecipient === null && takesFees(request))
        throw refuseConfig('Fees need a recipient: the admin of the security calls setFeeRecipient first.')
      const book = { class: 'external-securities', custodyContract: settlement, base, quote } as const
      return books.create(tenant, caller, {
        ...common,
        ...onChainColumns(caller, request, { ...book, underlyingIdentifier, ...decimals }),
        settlementOperator: operator,
      })
    },
  }
}

const takesFees = ({ makerFeeBps = 0, takerFeeBps = 0 }: { makerFeeBps?: number; takerFeeBps?: number }) =>
  makerFeeBps > 0 || takerFeeBps > 0

/** Only tokens whose holders a registry knows can be delivered by force of a signed order. */
async function requireImport(tenant: TenantDatabase, token: Address): Promise<void> {
  const [row] = await tenant.read((sql) => readActiveImport(sql, tenant.instanceId, token))
  if (row?.framework !== 'erc3643')
    throw fieldError('VALIDATION_ERROR', [
      { field: 'tokenAddress', message: 'is no active import of your instance with framework erc3643' },
    ])
}

const LONGEST_IDENTIFIER = 31

function identifierOf(given: string | undefined, state: { isRegistered: boolean; isin: string | null }): string {
  const asked = given?.trim().toUpperCase()
  if (asked !== undefined && (asked === '' || Buffer.byteLength(asked) > LONGEST_IDENTIFIER))
    throw fieldError('VALIDATION_ERROR', [{ field: 'underlyingIdentifier', message: 'must be 1 to 31 characters' }])
  if (state.isRegistered) {
    const onChain = state.isin ?? ''
    if (asked !== undefined && asked !== onChain) throw new AppError('ISIN_MISMATCH', { extra: { onChain } })
    return onChain
  }
  if (asked === undefined)
    throw new AppError('TOKEN_NO_ISIN', {
      detail: 'The security is not registered yet: send its underlyingIdentifier.',
    })
  return asked
}

export type BookCreation = ReturnType<typeof createBookCreation>
