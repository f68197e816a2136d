import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { amountIn, createConfirmation, instantOf, minedAt, provenBy } from './confirmation.ts'
import { announceCall, rotateCall } from './router-setting.call.ts'
import { partyReads, requireParty } from './signer.ts'

type AnnounceBody = BodyOf<typeof lendingOperations.announceSaleRecipient>

const lower = (address: Address) => address.toLowerCase() as Address

function requireRecipient({ recipientAddress }: AnnounceBody): Address {
  const address = recipientAddress === undefined ? null : parseAddress(recipientAddress)
  if (address && address !== zeroAddress) return address
  const message = recipientAddress === undefined ? 'is required' : 'is no address that could sell'
  throw fieldError('VALIDATION_ERROR', [{ field: 'recipientAddress', message }])
}

/** Who sells what is seized: fixed, and changed only with notice, while nothing is out for sale. */
export function createSaleRecipient(parts: LendingParts) {
  const { chains, intents } = parts
  const prove = createConfirmation(parts)

  async function ask(call: MarketCall, marketId: string) {
    const record = await findDeployedMarket(call, marketId)
    const { market, wallets } = record
    const chain = chains.get(market.chainId)
    const { block, results } = await readNamed(chain, {
      current: contractRead(market.router, abis.router, 'saleRecipient', []),
      announced: contractRead(market.router, abis.router, 'announcedRecipient', []),
      totals: contractRead(market.router, abis.router, 'totals', []),
      roleHeld: partyReads(record, 'routerAdmin', wallets),
    })
    const { current, announced, totals, roleHeld } = results
    if (!current.ok || !announced.ok || !totals.ok) throw new AppError('ROUTER_UNREADABLE')
    const [next, activatesAt] = announced.value
    const [received, settled] = totals.value
    return {
      record,
      chain,
      block,
      saleRecipient: lower(current.value),
      next: lower(next),
      activatesAt: Number(activatesAt),
      open: Number(received - settled),
      signing: requireParty(record, 'routerAdmin', wallets, roleHeld),
    }
  }

  async function build<A, X>(
    call: MarketCall,
    { record, chain, block, signing, saleRecipient }: Awaited<ReturnType<typeof ask>>,
    pair: CallPair<A, Effect, X>,
    args: A,
    rest = '',
  ) {
    const { marketId, market } = record
    const intent = { chain, pair, target: market.router, kind: 'router' }
    const built = await intents.build(intent, args, signing.signer, explainLending)
    const endpoint = endpointAt(call.mountedAt, `/liquidations/${marketId}/sale-recipient${rest}`)
    const data = { marketId, ...built, ...signing, saleRecipient, confirmWith: { endpoint, field: 'txHash' as const } }
    return { data, block, calls: [built.transaction] }
  }

  async function confirm<A>(
    call: MarketCall,
    marketId: string,
    pair: CallPair<A, Effect, Record<string, never>>,
    txHash: string,
  ) {
    const record = await findDeployedMarket(call, marketId)
    const chain = chains.get(record.market.chainId)
    return prove(call, { record, chain, pair, expected: {}, txHash })
  }

  return {
    async buildAnnouncement(call: MarketCall, marketId: string, body: AnnounceBody) {
      const recipient = requireRecipient(body)
      const asked = await ask(call, marketId)
      const built = await build(call, asked, announceCall, { recipient })
      return { ...built, data: { ...built.data, announced: recipient } }
    },

    async confirmAnnouncement(call: MarketCall, marketId: string, txHash: string) {
      const proof = await confirm(call, marketId, announceCall, txHash)
      const activatesAt = Number(amountIn(proof, 'activatesAt'))
      const data = {
        marketId,
        ...provenBy(proof),
        announced: String(proof.effect.recipient),
        activatesAt,
        activatesAtIso: instantOf(activatesAt),
        at: minedAt(proof),
      }
      return { data, block: proof.transaction.block }
    },

    async buildRotation(call: MarketCall, marketId: string) {
      const asked = await ask(call, marketId)
      const { next, activatesAt, open, block } = asked
      if (next === zeroAddress) throw new AppError('ROTATION_NOT_ANNOUNCED')
      if (block.time < activatesAt)
        throw new AppError('ROTATION_TOO_EARLY', { extra: { eligibleAt: instantOf(activatesAt) } })
      if (open > 0) throw new AppError('LIQUIDATIONS_OPEN', { extra: { openLiquidations: open } })
      const built = await build(call, asked, rotateCall, {}, '/rotate')
      return { ...built, data: { ...built.data, nextSaleRecipient: next } }
    },

    async confirmRotation(call: MarketCall, marketId: string, txHash: string) {
      const proof = await confirm(call, marketId, rotateCall, txHash)
      const data = {
        marketId,
        ...provenBy(proof),
        previousSaleRecipient: String(proof.effect.previousRecipient),
        saleRecipient: String(proof.effect.newRecipient),
        at: minedAt(proof),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type SaleRecipient = ReturnType<typeof createSaleRecipient>
