import type { Address, Hex } from 'viem'
import { DemoRefusedError } from '../demo-client.ts'
import type { DemoBook, TradingStage } from './trading-stage.ts'

interface StagedTrade {
  readonly makerOrderId: string
  readonly makerAddress: string
  readonly price: string
  readonly quantity: string
}

export interface PendingSettlement {
  readonly settlementId: string
  readonly status: 'PENDING' | 'PROCESSING'
  readonly createdAt: string
  readonly trades: readonly StagedTrade[]
}

export async function pendingOn({ issuer }: TradingStage, { prefix, id }: DemoBook): Promise<PendingSettlement[]> {
  const path = `${prefix}/settlements/pending?orderBookId=${id}`
  return (await issuer.call<{ settlements: PendingSettlement[] }>('GET', path)).settlements
}

interface Built {
  readonly transaction?: { readonly to: Address; readonly data: Hex }
  readonly gasLimit?: string | null
  readonly confirmWith?: { readonly endpoint: string }
}

const SPARE_GAS = 2_000_000n

/** Undefined: it cannot be settled now. Money may come, a pause may end; what can never settle is taken back by the book itself. */
async function build({ issuer }: TradingStage, { prefix }: DemoBook, settlementId: string): Promise<Built | undefined> {
  try {
    return await issuer.call<Built>('GET', `${prefix}/settlements/${settlementId}/calldata`)
  } catch (error) {
    if (error instanceof DemoRefusedError) return undefined
    throw error
  }
}

/** The operator signs what waits, all at once, and reports it. */
export async function settle(
  stage: TradingStage,
  book: DemoBook,
  pending: readonly PendingSettlement[],
): Promise<number> {
  const waiting = pending.filter(({ status }) => status === 'PENDING')
  const built = await Promise.all(waiting.map(({ settlementId }) => build(stage, book, settlementId)))
  const ready = built.flatMap((one) =>
    one?.transaction && one.confirmWith
      ? [{ ...one.transaction, gas: BigInt(one.gasLimit ?? SPARE_GAS), endpoint: one.confirmWith.endpoint }]
      : [],
  )
  const mined = await stage.signing.sendAll(
    stage.issuer.account,
    ready.map(({ to, data, gas }) => ({ to, data, gas })),
  )
  await Promise.all(
    ready.map(({ endpoint }, index) => stage.issuer.call('POST', endpoint, { txHash: mined[index]?.hash })),
  )
  return ready.length
}
