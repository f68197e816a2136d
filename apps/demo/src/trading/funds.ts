import { demoCashAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { DemoClient } from '../demo-client.ts'
import type { DemoCall } from '../demo-signing.ts'
import { GOLD } from '../gold.ts'
import { cashPerBook, traderNames, unitsOf } from './trading-plan.ts'
import type { DemoBook, TradingStage } from './trading-stage.ts'

/** What somebody should be able to trade of a token on a book, in its smallest units. */
interface DepositRequest {
  readonly book: DemoBook
  readonly call: DemoClient
  readonly account: PrivateKeyAccount
  readonly token: Address
  readonly amount: bigint
}

/** The allowance of buyers where money stays in the wallets: for many trades. */
const ALLOWANCE = parseUnits('10000000', 6)

function requestsFor({ issuer, traders }: TradingStage, book: DemoBook): DepositRequest[] {
  const cash = { token: book.quote, amount: parseUnits(String(cashPerBook), book.quoteDecimals) }
  const requests = traderNames.flatMap((name) => {
    const base = parseUnits(String(book.plan.brings[name]), book.baseDecimals)
    return [
      { book, ...traders[name], ...cash },
      { book, ...traders[name], token: book.base, amount: base },
    ]
  })
  // Whoever answers requests for shares pays for them.
  const provider = book.plan.label === 'stock' ? [{ book, ...issuer, ...cash }] : []
  return [...requests, ...provider].filter(({ amount }) => amount > 0n)
}

/** How much is missing of a request; a part of it is enough. */
async function missingOf({ book, call, account, token, amount }: DepositRequest): Promise<bigint> {
  const { onChainAvailable } = await call<{ onChainAvailable: string }>(
    'GET',
    `${book.prefix}/custody/${book.custody}/balance/${account.address}/${token}`,
  )
  const there = BigInt(onChainAvailable)
  return there < amount / 2n ? amount - there : 0n
}

interface Unsigned {
  readonly to: Address
  readonly data: Hex
}

interface Deposit {
  readonly calls: readonly DemoCall[]
  /** By the hash of the last call. */
  confirm(txHash: Hex | undefined): Promise<unknown>
}

async function buildDeposit({ book, call, account, token }: DepositRequest, missing: bigint): Promise<Deposit> {
  if (book.plan.custody === 'wallets') {
    const body = { amount: ALLOWANCE.toString() }
    const { transaction } = await call<{ transaction: Unsigned }>('POST', `${book.path}/quote-approval`, body)
    return { calls: [{ to: transaction.to, data: transaction.data }], confirm: async () => undefined }
  }
  const path = `${book.prefix}/custody/${book.custody}/deposit`
  const body = { userAddress: account.address, tokenAddress: token, amount: missing.toString(), commit: true }
  const { steps } = await call<{ steps: { transaction: Unsigned }[] }>('POST', path, body)
  const calls = steps.map(({ transaction: { to, data } }) => ({ to, data }))
  return { calls, confirm: (txHash) => call('POST', path, { ...body, txHash }) }
}

type Missing = { readonly request: DepositRequest; readonly missing: bigint }

/** Money and gold are made where a wallet has too little of them. Shares are not: their issuer counts them. */
async function mint({ signing, issuer, tokenOf }: TradingStage, all: readonly Missing[]): Promise<void> {
  const needs = new Map<string, { holder: Address; token: Address; amount: bigint }>()
  for (const { request, missing } of all) {
    const [holder, token] = [request.account.address, request.token]
    if (token !== tokenOf('dEUR') && token !== tokenOf(GOLD)) continue
    const before = needs.get(`${holder} ${token}`)?.amount ?? 0n
    needs.set(`${holder} ${token}`, { holder, token, amount: before + missing })
  }
  const calls = await Promise.all(
    [...needs.values()].map(async ({ holder, token, amount }): Promise<DemoCall[]> => {
      const has = await signing.client.readContract({
        ...{ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] },
      })
      if (has >= amount) return []
      const args = [holder, amount - has] as const
      return [{ to: token, data: encodeFunctionData({ abi: demoCashAbi, functionName: 'mint', args }) }]
    }),
  )
  await signing.sendAll(issuer.account, calls.flat())
}

/** Everybody can trade on these books that settle on chain: brings to the vaults what is missing there, and lets buyers pay. */
export async function ensureFunds(stage: TradingStage, books: readonly DemoBook[]): Promise<void> {
  const requests = books.filter(({ custody }) => custody !== null).flatMap((book) => requestsFor(stage, book))
  const looked = await Promise.all(requests.map(async (request) => ({ request, missing: await missingOf(request) })))
  const short = looked.filter(({ missing }) => missing > 0n)
  if (short.length === 0) return
  await mint(stage, short)
  const deposits = await Promise.all(
    short.map(async ({ request, missing }) => ({ request, deposit: await buildDeposit(request, missing) })),
  )
  await Promise.all(
    deposits.map(async ({ request, deposit }) => {
      const mined = await stage.signing.sendAll(request.account, deposit.calls)
      await deposit.confirm(mined.at(-1)?.hash)
    }),
  )
}

/** The same for the ledger of the issuer platform. */
export async function ensureLedger({ issuer, tokenOf }: TradingStage, { plan, prefix }: DemoBook): Promise<void> {
  const ledger = `${prefix}/ledger`
  const tokens = [
    { symbol: plan.symbol, amounts: plan.brings },
    { symbol: 'dEUR', amounts: { borrower: cashPerBook, trader: cashPerBook } },
  ]
  for (const { symbol, amounts } of tokens) {
    const tokenAddress = tokenOf(symbol)
    await issuer.call('POST', `${ledger}/tokens`, { tokenAddress, symbol })
    for (const customerRef of traderNames) {
      const query = `customerRef=${customerRef}&tokenAddress=${tokenAddress}`
      const { balances } = await issuer.call<{ balances: { total: string }[] }>('GET', `${ledger}/balances?${query}`)
      const [there, wanted] = [BigInt(balances[0]?.total ?? 0), unitsOf(amounts[customerRef])]
      if (there >= wanted / 2n) continue
      const body = { customerRef, tokenAddress, amount: (wanted - there).toString(), reference: 'Demo' }
      await issuer.call('POST', `${ledger}/credit`, body)
    }
  }
}
