import { lendingOperations } from '@tallystick/wire'
import type { Block } from '../../platform/chain/block.ts'
import { at, marketWrite, optionalAddress } from '../core/index.ts'
import { isTrue, priceReads, signerRead, verifyRead } from './oracle.reads.ts'
import { asPrice, isWithinDeviation } from './oracle.rules.ts'
import { requirePrice, requireSigner } from './price-request.ts'
import { findRecordedPrice } from './recorded-prices.service.ts'

/** A signed price is pushed with a sync while it is younger than this. */
const ATTESTATION_FRESH_SECONDS = 900n

/** Newer than what the oracle holds, so not pushed yet, and signed a short while ago. */
const isFresh = (timestamp: bigint, updatedAt: bigint, { time }: Block): boolean =>
  timestamp > updatedAt && BigInt(time) - timestamp <= ATTESTATION_FRESH_SECONDS

/** A price that a signer signed off chain; anybody may submit it. */
const submit = at('oracle', 'updatePriceWithSignature', 'PriceUpdated')

/** Brings a price on chain: pushed by a signer, or carried there with a signature that the instance recorded before. */
export const syncOracle = marketWrite(lendingOperations.syncOracle, {
  call: at('oracle', 'updatePrice', 'PriceUpdated'),
  orCalls: [submit],

  async build({ market, record: { wallets }, chain, tenant, body, refuse }) {
    const { oracle } = market
    const price = requirePrice(body.price, market)
    const named = optionalAddress('signerAddress', body.signerAddress)
    const { declared, own } = await findRecordedPrice(tenant, market, price)
    const signer = requireSigner(named, declared, wallets[0])
    const signed = own && { ...own, price, timestamp: own.attestedAt }

    const reads = [...priceReads(oracle), signerRead(oracle, signer)] as const
    const { block, results } = await chain.read(signed ? [...reads, verifyRead(oracle, signed)] : reads)
    const [stored, updatedAt, , maxDeviation, , authorized, accepted] = results
    if (!stored.ok || !updatedAt.ok || !maxDeviation.ok || !authorized.ok) throw refuse('ORACLE_UNREACHABLE')
    const carried = signed && accepted?.ok && isFresh(signed.timestamp, updatedAt.value, block) ? signed : undefined
    if (!carried && !isTrue(authorized)) throw refuse('SIGNER_NOT_AUTHORIZED', { extra: { signerAddress: signer } })
    if (!isWithinDeviation(price, stored.value, maxDeviation.value))
      throw refuse('PRICE_DEVIATION_TOO_LARGE', {
        extra: { currentPrice: asPrice(stored.value, market), maxDeviationBps: Number(maxDeviation.value) },
      })

    // Nobody's authority is needed to submit a signature: whoever of the instance pays may send it.
    const sender = carried ? requireSigner(named, wallets[0], signer) : signer
    const submitted = carried && {
      call: submit.prepare(oracle, {
        ...{ price_: price, timestamp: carried.timestamp },
        ...{ validUntil: carried.validUntil, signature: carried.signature },
      }),
      functionName: submit.functionName,
    }
    return {
      block,
      signer: sender,
      ...(submitted ? { instead: submitted } : { args: { newPrice: price } }),
      confirmWith: { price: asPrice(price, market) },
      answer: {
        success: true as const,
        signer: sender,
        ...(carried ? { attestationId: carried.id } : {}),
        previousPrice: asPrice(stored.value, market),
        newPrice: asPrice(price, market),
      },
    }
  },

  expect: ({ body, market }) => ({ newPrice: requirePrice(body.price, market) }),

  proven: ({ effect }, { market }) => ({
    previousPrice: asPrice(effect.previousPrice, market),
    newPrice: asPrice(effect.newPrice, market),
    updater: effect.updater,
  }),
})
