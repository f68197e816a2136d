import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Block } from '../../platform/chain/block.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { optionalAddress } from '../request-fields.ts'
import { explainLending } from '../reverts/index.ts'
import * as attestations from './attestations.store.ts'
import { isTrue, priceReads, signerRead, verifyRead } from './oracle.reads.ts'
import { asPrice, isWithinDeviation } from './oracle.rules.ts'
import { findPriceSigner } from './oracle.store.ts'
import { requirePrice, requireSigner } from './price-request.ts'
import { submitSignedPriceCall, updatePriceCall } from './push-price.call.ts'

type SyncBody = BodyOf<typeof lendingOperations.syncOracle>

/** A signed price is pushed with a sync while it is younger than this. */
const ATTESTATION_FRESH_SECONDS = 900n

/** Brings a price on chain: pushed by a signer, or carried there with a signature that the instance recorded before. */
export function createSyncOracle({ chains, intents }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, body: SyncBody) {
      const { tenant, mountedAt } = call
      const { market, wallets } = await findDeployedMarket(call, marketId)
      const { chainId, oracle } = market
      const price = requirePrice(body.price, market)
      const named = optionalAddress('signerAddress', body.signerAddress)
      const [declared] = await tenant.read((sql) => findPriceSigner(sql, chainId, oracle))
      const signer = requireSigner(named, declared?.signer, wallets[0])
      const [own] = await tenant.read((sql) => attestations.findOwn(sql, tenant.instanceId, chainId, oracle, price))
      const signed = own && { ...own, price, timestamp: own.attestedAt }

      const chain = chains.get(chainId)
      const reads = [...priceReads(oracle), signerRead(oracle, signer)] as const
      const { block, results } = await chain.read(signed ? [...reads, verifyRead(oracle, signed)] : reads)
      const [stored, updatedAt, , maxDeviation, , authorized, accepted] = results
      if (!stored.ok || !updatedAt.ok || !maxDeviation.ok || !authorized.ok) throw new AppError('ORACLE_UNREACHABLE')
      const carried = signed && accepted?.ok && isFresh(signed.timestamp, updatedAt.value, block) ? signed : undefined
      if (!carried && !isTrue(authorized))
        throw new AppError('SIGNER_NOT_AUTHORIZED', { extra: { signerAddress: signer } })
      if (!isWithinDeviation(price, stored.value, maxDeviation.value))
        throw new AppError('PRICE_DEVIATION_TOO_LARGE', {
          extra: { currentPrice: asPrice(stored.value, market), maxDeviationBps: Number(maxDeviation.value) },
        })

      const at = { chain, target: oracle, kind: 'oracle' }
      // Nobody's authority is needed to submit a signature: whoever of the instance pays may send it.
      const sender = carried ? requireSigner(named, wallets[0], signer) : signer
      const built = carried
        ? await intents.build({ ...at, pair: submitSignedPriceCall }, carried, sender, explainLending)
        : await intents.build({ ...at, pair: updatePriceCall }, { price }, sender, explainLending)
      const data = {
        success: true as const,
        ...built,
        signer: sender,
        ...(carried ? { attestationId: carried.id } : {}),
        previousPrice: asPrice(stored.value, market),
        newPrice: asPrice(price, market),
        confirmWith: {
          endpoint: endpointAt(mountedAt, `/markets/${marketId}/sync-oracle`),
          field: 'txHash' as const,
          body: { price: asPrice(price, market), txHash: null },
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: MarketCall, marketId: string, body: SyncBody & { txHash: string }) {
      const { tenant } = call
      const { market } = await findDeployedMarket(call, marketId)
      const expected = { price: requirePrice(body.price, market) }
      const at = { chain: chains.get(market.chainId), target: market.oracle, kind: 'oracle' }
      const txHash = body.txHash as Hex
      const proof = await intents
        .confirm(tenant, { ...at, pair: updatePriceCall }, expected, txHash)
        .catch((error: unknown) => {
          // The other way to push a price is a function of its own.
          if (!(error instanceof AppError) || error.code !== 'TX_WRONG_FUNCTION') throw error
          return intents.confirm(tenant, { ...at, pair: submitSignedPriceCall }, expected, txHash)
        })
      const { effect, transaction, verifiedBy } = proof
      const data = {
        txHash: transaction.hash,
        previousPrice: asPrice(BigInt(String(effect.previousPrice)), market),
        newPrice: asPrice(BigInt(String(effect.newPrice)), market),
        updater: String(effect.updater) as Address,
        ...(verifiedBy ? { verifiedBy } : {}),
      }
      return { data, block: transaction.block }
    },
  }
}

/** Newer than what the oracle holds, so not pushed yet, and signed a short while ago. */
const isFresh = (timestamp: bigint, updatedAt: bigint, { time }: Block): boolean =>
  timestamp > updatedAt && BigInt(time) - timestamp <= ATTESTATION_FRESH_SECONDS

export type SyncOracle = ReturnType<typeof createSyncOracle>
