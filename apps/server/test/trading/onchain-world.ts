import { randomBytes } from 'node:crypto'
import {
  demoCashAbi,
  demoCashBytecode,
  identityRegistryAbi,
  signedOrderSettlementAbi,
  stockTokenAbi,
  tradingVaultAbi,
} from '@tallystick/abi'
import type { StockSuite, TradingSuite } from '@tallystick/deployer'
import {
  deploy,
  deployStockSuite,
  deployTradingSuite,
  startPreparedChain,
  type TestChain,
  type Wallet,
  wallet,
} from '@tallystick/testkit'
import type { Sql } from 'postgres'
import { type Address, type Hex, keccak256, maxUint256, parseUnits, stringToHex, zeroHash } from 'viem'
import type { BookClass } from '../../src/trading/books/book.rules.ts'
import { exactChainAmount } from '../../src/trading/signed/chain-units.rules.ts'
import { ORDER_TYPES, orderDomain, orderHashOf, type SignedOrder } from '../../src/trading/signed/signed-order.rules.ts'
import { type RpcProxy, rpcProxy } from '../rpc-proxy.ts'
import { followerOf, must, type Party, partyOf, senderOn, throughProxy } from '../signing.ts'
import { connectSuperuser } from '../superuser.ts'
import { createWorld, type TestInstance, type World } from '../world.ts'
import { callOf, quickSenderOn } from './quick-sender.ts'

export const prefixOf = (bookClass: BookClass): string => `/orderbooks/${bookClass}/api`

/** A book whose trades settle on chain. */
export interface OnchainBook {
  readonly id: string
  readonly class: BookClass
  /** `/orderbooks/<class>/api` */
  readonly prefix: string
  readonly base: Address
  readonly quote: Address
  readonly custody: Address
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

/** What an order says, in order book units; what is left out is chosen. */
export interface OrderRequest {
  readonly side: 'BUY' | 'SELL'
  readonly price: bigint
  readonly quantity: bigint
  readonly maxFee?: bigint
  readonly expiry?: bigint
  readonly nonce?: bigint
  readonly salt?: Hex
}

export interface OnchainWorld extends World {
  readonly node: TestChain
  readonly proxy: RpcProxy
  readonly superuser: Sql
  readonly suite: TradingSuite & StockSuite
  /** Owns the books. Its wallet issues the stocks, and is admin and operator of everything. */
  readonly owner: Party
  /** Another instance. */
  readonly other: Party
  /** `security` is a stock of ours, traded as an external security. Decimals: 18, 8, 18, 6. */
  readonly tokens: {
    readonly stock: Address
    readonly commodity: Address
    readonly security: Address
    readonly cash: Address
  }
  readonly books: Readonly<Record<BookClass, OnchainBook>>
  /** Each can trade 1,000 whole units of every base and 1,000,000 of the quote in each custody contract. */
  readonly traders: readonly [Wallet, Wallet, Wallet]
  /** Known to the identity registry, and given as much as the others. Must have ether. */
  fund(...accounts: readonly Wallet[]): Promise<void>
  /** On the same tokens as the book of its class; of the other instance unless told otherwise. */
  createBook(bookClass: BookClass, request?: Record<string, unknown>, of?: TestInstance): Promise<OnchainBook>
  /** The terms that were signed, as a submission takes them. */
  signOrder(account: Wallet, book: OnchainBook, request: OrderRequest): Promise<SignedTerms>
  /** Sends a transaction; the hash. Throws when it reverts. */
  sendRaw(account: Wallet, call: { to: Address; data: Hex }, gas?: bigint): Promise<Hex>
  follow(): Promise<void>
  /** How many round trips to the node this takes. */
  roundTrips(work: () => Promise<unknown>): Promise<number>
  /** Runs while no node answers. */
  withoutNode<T>(work: () => Promise<T>): Promise<T>
}

export interface SignedTerms {
  readonly order: SignedOrder
  readonly orderHash: Hex
  readonly signature: Hex
  /** Of a submission. */
  readonly body: Record<string, unknown>
}

const ISIN = 'DE000A1EWWW0'
const SECURITY_ISIN = 'DE0005190003'
const DAY = 86_400n

const namesOf: Readonly<Record<BookClass, { name: string; symbol: string }>> = {
  stocks: { name: 'Nordlicht', symbol: 'NORD' },
  commodities: { name: 'Gold', symbol: 'XAU' },
  'external-securities': { name: 'Suedwind', symbol: 'SUED' },
}

async function prepareTrading(node: TestChain): Promise<TradingSuite & StockSuite> {
  const stocks = await deployStockSuite(node)
  return { ...stocks, ...(await deployTradingSuite(node)) }
}

/** The product on a chain of its own, with a book of each class, and traders who can trade on all of them at once. */
export async function createOnchainWorld(
  options: { readonly bookRequest?: Record<string, unknown> } = {},
): Promise<OnchainWorld> {
  const { node, made: suite } = await startPreparedChain('trading', prepareTrading)
  const proxy = await rpcProxy(node.url)
  const world = await createWorld({ rpcUrls: [proxy.url] })
  const superuser = connectSuperuser(world.databaseUrl)
  await recordSuite(superuser, node.chainId, suite)
  const { follow } = await followerOf(world)
  const owner = await partyOf(await world.createInstance(), wallet(0))
  const other = await partyOf(await world.createInstance(), wallet(2))
  const quickly = quickSenderOn(node)
  const sendRaw = senderOn(node)

  async function createStock(symbol: string, isin: string): Promise<Address> {
    const path = '/stocks/api/tokenization/deploy'
    const body = { name: `${symbol} AG`, symbol, isin, issuerAddress: owner.wallet.address }
    const { txData } = must(await owner.post(path, body)).body.data
    const txHash = await sendRaw(owner.wallet, txData)
    return must(await owner.post(path, { ...body, txHash })).body.data.tokenAddress
  }
  const create = async (name: string, symbol: string, decimals: number) => {
    const args = [name, symbol, decimals, owner.wallet.address]
    return (await deploy(node, { abi: demoCashAbi, bytecode: demoCashBytecode, args })).toLowerCase() as Address
  }
  const tokens = {
    stock: await createStock('NORD', ISIN),
    security: await createStock('SUED', SECURITY_ISIN),
    commodity: await create('Gold', 'XAU', 8),
    cash: await create('Test Dollar', 'USDC', 6),
  }
  await quickly(owner.wallet, admissions(suite, tokens, owner.wallet.address))

  async function fund(...accounts: readonly Wallet[]): Promise<void> {
    const holders = accounts.map(({ address }) => address)
    await quickly(owner.wallet, gifts(suite, tokens, holders))
    await Promise.all(accounts.map((account) => quickly(account, deposits(suite, tokens))))
  }
  const traders = [wallet(3), wallet(4), wallet(5)] as const
  await fund(...traders)

  const baseOf = { stocks: tokens.stock, commodities: tokens.commodity, 'external-securities': tokens.security }
  const custodyOf = {
    stocks: suite.stockVault,
    commodities: suite.commodityVault,
    'external-securities': suite.signedOrderSettlement,
  }

  const createBook: OnchainWorld['createBook'] = async (bookClass, request = {}, of = other) => {
    const [base, quote, custody, prefix] = [baseOf[bookClass], tokens.cash, custodyOf[bookClass], prefixOf(bookClass)]
    const own = {
      stocks: { settlementMode: 'ON_CHAIN' },
      commodities: {},
      'external-securities': { settlementOperator: owner.wallet.address },
    }[bookClass]
    const pair = { tokenAddress: base, quoteTokenAddress: quote, custodyContract: custody }
    const body = { ...pair, ...namesOf[bookClass], ...own, ...request }
    const { id, baseDecimals, quoteDecimals } = must(await of.call('POST', `${prefix}/order-books`, { body })).body.data
    return { id, class: bookClass, prefix, base, quote, custody, baseDecimals, quoteDecimals }
  }
  const ownBook = (bookClass: BookClass) => createBook(bookClass, options.bookRequest, owner)
  const books = {
    stocks: await ownBook('stocks'),
    commodities: await ownBook('commodities'),
    'external-securities': await ownBook('external-securities'),
  }

  return {
    ...world,
    node,
    proxy,
    superuser,
    suite,
    owner,
    other,
    tokens,
    books,
    traders,
    fund,
    createBook,
    signOrder: (account, book, request) => signOrder(node.chainId, account, book, request),
    sendRaw,
    follow,
    ...throughProxy(proxy),
    async close() {
      await superuser.end()
      await world.close()
      await proxy.stop()
      await node.stop()
    },
  }
}

type Suite = OnchainWorld['suite']
type Tokens = OnchainWorld['tokens']

async function recordSuite(superuser: Sql, chainId: number, suite: Suite): Promise<void> {
  const names = {
    StockFactory: suite.stockFactory,
    IdentityRegistry: suite.identityRegistry,
    StockTradingVault: suite.stockVault,
    CommodityTradingVault: suite.commodityVault,
    SignedOrderSettlement: suite.signedOrderSettlement,
  }
  for (const [name, address] of Object.entries(names))
    await superuser`
      insert into deployed_contracts (chain_id, name, address, recorded_at) values (${chainId}, ${name}, ${address}, now())`
}

const RULES = { NONE: 0, CAN_TRANSFER: 1 }

/** Everything that the books need on chain, by the one who may do all of it. */
function admissions(suite: Suite, { stock, commodity, security, cash }: Tokens, admin: Address) {
  const { identityRegistry, stockVault, commodityVault, signedOrderSettlement: settlement } = suite
  const admit = (vault: Address, token: Address, rules: number, splits: boolean) =>
    callOf(vault, tradingVaultAbi, 'addToken', [token, rules, splits])
  const onSettlement = (functionName: string, args: readonly unknown[]) =>
    callOf(settlement, signedOrderSettlementAbi, functionName, args)
  return [
    callOf(identityRegistry, identityRegistryAbi, 'addKYCProvider', [admin, 'Tests']),
    admit(stockVault, stock, RULES.CAN_TRANSFER, true),
    admit(stockVault, cash, RULES.NONE, false),
    admit(commodityVault, commodity, RULES.NONE, false),
    admit(commodityVault, cash, RULES.NONE, false),
    callOf(stock, stockTokenAbi, 'addAuthorizedContract', [stockVault]),
    callOf(security, stockTokenAbi, 'addAgent', [settlement]),
    onSettlement('registerSecurity', [security, stringToHex(SECURITY_ISIN, { size: 32 })]),
    onSettlement('setQuoteAsset', [security, cash, true]),
    onSettlement('setOperator', [security, admin, true]),
    onSettlement('setFeeRecipient', [security, wallet(9).address]),
  ]
}

const WHOLE = { stock: parseUnits('1000', 18), commodity: parseUnits('1000', 8), cash: parseUnits('1000000', 6) }

function gifts(suite: Suite, { stock, commodity, security, cash }: Tokens, holders: readonly Address[]) {
  const issue = (token: Address) =>
    callOf(token, stockTokenAbi, 'batchIssue', [holders, holders.map(() => WHOLE.stock), zeroHash])
  return [
    ...holders.map((holder) =>
      callOf(suite.identityRegistry, identityRegistryAbi, 'verifyIdentity', [
        ...[holder, keccak256(holder), 1, 0n, 0n, 276],
      ]),
    ),
    issue(stock),
    issue(security),
    ...holders.map((holder) => callOf(commodity, demoCashAbi, 'mint', [holder, WHOLE.commodity])),
    ...holders.map((holder) => callOf(cash, demoCashAbi, 'mint', [holder, 3n * WHOLE.cash])),
  ]
}

/** What a trader signs to trade everywhere. */
function deposits(suite: Suite, { stock, commodity, cash }: Tokens) {
  const approve = (token: Address, spender: Address, amount: bigint) =>
    callOf(token, demoCashAbi, 'approve', [spender, amount])
  const bring = (vault: Address, token: Address, amount: bigint) => [
    approve(token, vault, amount),
    callOf(vault, tradingVaultAbi, 'depositAndCommit', [token, amount]),
  ]
  return [
    ...bring(suite.stockVault, stock, WHOLE.stock),
    ...bring(suite.stockVault, cash, WHOLE.cash),
    ...bring(suite.commodityVault, commodity, WHOLE.commodity),
    ...bring(suite.commodityVault, cash, WHOLE.cash),
    approve(cash, suite.signedOrderSettlement, maxUint256),
  ]
}

async function signOrder(
  chainId: number,
  account: Wallet,
  book: OnchainBook,
  request: OrderRequest,
): Promise<SignedTerms> {
  const [quantity, price] = [
    exactChainAmount(request.quantity, book.baseDecimals),
    exactChainAmount(request.price, book.quoteDecimals),
  ]
  if (quantity === null || price === null) throw new Error('the tokens cannot tell these amounts')
  const order: SignedOrder = {
    trader: account.address,
    token: book.base,
    quote: book.quote,
    isBuy: request.side === 'BUY',
    quantity,
    price,
    maxFee: request.maxFee ?? 0n,
    expiry: request.expiry ?? BigInt(Math.floor(Date.now() / 1000)) + DAY,
    nonce: request.nonce ?? 0n,
    salt: request.salt ?? `0x${randomBytes(32).toString('hex')}`,
  }
  const domain = orderDomain(book.class, chainId, book.custody)
  const signature = await account.signTypedData({ domain, types: ORDER_TYPES, primaryType: 'Order', message: order })
  return {
    order,
    orderHash: orderHashOf(domain, order),
    signature,
    body: {
      orderBookId: book.id,
      userAddress: account.address,
      side: request.side,
      price: request.price.toString(),
      quantity: request.quantity.toString(),
      maxFee: order.maxFee.toString(),
      expiry: order.expiry.toString(),
      nonce: order.nonce.toString(),
      salt: order.salt,
      signature,
    },
  }
}
