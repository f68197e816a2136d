import { type ListRfqs, type StreamRfqs, signOrder, type Wallet } from '@tallystick/sdk'
import { useQuery } from '@tanstack/react-query'
import { tally } from './client.ts'
import type { Book, Side } from './trading.ts'

const { trading } = tally

export type Request = ListRfqs['data']['rfqs'][number]
export type Quote = Request['quotes'][number]
export type RequestNotice = Extract<StreamRfqs['message'], { type: 'notice' }>

/** How far the clock of the service is ahead of the one here. */
let aheadMs = 0

function learnTime(timestamp: string, askedAt: number): void {
  aheadMs = Date.parse(timestamp) - (askedAt + Date.now()) / 2
}

/** By the clock of the service: it decides what is too late. */
export const serverNow = (): number => Date.now() + aheadMs

export const REQUESTS = ['rfqs'] as const

async function listRequests(): Promise<readonly Request[]> {
  const askedAt = Date.now()
  const { data, metadata } = await trading.listRfqs({ query: { limit: '50' } })
  learnTime(metadata.timestamp, askedAt)
  return data.rfqs
}

export const useRequests = () => useQuery({ queryKey: REQUESTS, queryFn: listRequests, refetchInterval: 20_000 })

export const getRequest = async (id: string): Promise<Request> => (await trading.getRfq({ params: { id } })).data

export const useRequest = (id: string) =>
  useQuery({ queryKey: [...REQUESTS, id], queryFn: () => getRequest(id), refetchInterval: 5_000 })

export async function askForQuotes(
  book: Book,
  wallet: Wallet,
  { side, baseAmount, expiryMs }: { side: Side; baseAmount: bigint; expiryMs: number },
): Promise<void> {
  if (book.custodyContract === null) throw new TypeError('only books that settle on chain have requests for quote')
  await trading.openRfq({
    body: {
      requesterAddress: wallet.account.address,
      baseToken: book.tokenAddress,
      quoteToken: book.quoteTokenAddress,
      custodyContract: book.custodyContract,
      side,
      baseAmount: baseAmount.toString(),
      expiryMs,
    },
  })
}

/** What an RFQ trade signs has no fee, so none is sent. */
const termsOf = ({ expiry, nonce, salt, signature }: Awaited<ReturnType<typeof signOrder>>['terms']) => ({
  ...{ expiry, nonce, salt, signature },
})

export async function quote(id: string, wallet: Wallet, price: bigint): Promise<void> {
  const userAddress = wallet.account.address
  const body = { userAddress, price: price.toString() }
  const { terms } = await signOrder(trading.prepareRfq, { params: { id }, body }, wallet)
  await trading.submitQuote({
    params: { id },
    body: { lpAddress: userAddress, price: price.toString(), ...termsOf(terms) },
  })
}

export async function accept(id: string, wallet: Wallet, quoteId: string): Promise<void> {
  const userAddress = wallet.account.address
  const { terms } = await signOrder(trading.prepareRfq, { params: { id }, body: { userAddress, quoteId } }, wallet)
  await trading.acceptQuote({ params: { id }, body: { requesterAddress: userAddress, quoteId, ...termsOf(terms) } })
}

export const withdraw = (id: string, quoteId: string, wallet: Wallet) =>
  trading.withdrawQuote({ params: { id, quoteId }, body: { lpAddress: wallet.account.address } })

export const cancelRequest = (id: string, wallet: Wallet) =>
  trading.cancelRfq({ params: { id }, body: { requesterAddress: wallet.account.address } })
