import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { findDeployedMarket, type MarketCall, optionalAddress } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { signerRead } from './oracle.reads.ts'
import { asInstant, asPrice, priceTypedData } from './oracle.rules.ts'
import { findPriceSigner } from './oracle.store.ts'
import { requirePrice, requireSigner } from './price-request.ts'

type SignBody = BodyOf<typeof lendingOperations.signPrice>

const VALIDITY = { fallback: 300, least: 60, most: 3600 }

/** What a signer signs so that others can bring the price on chain, or open a loan with it. */
export function createSignPrice({ chains }: LendingParts) {
  return async function sign(call: MarketCall, marketId: string, body: SignBody) {
    const { tenant } = call
    const { market, wallets } = await findDeployedMarket(call, marketId)
    const { chainId, oracle } = market
    const price = requirePrice(body.price, market)
    const named = optionalAddress('signerAddress', body.signerAddress)
    const [declared] = await tenant.read((sql) => findPriceSigner(sql, chainId, oracle))
    const signer = requireSigner(named, declared?.signer, wallets[0])
    const { block, results } = await chains.get(chainId).read([signerRead(oracle, signer)])
    const [authorized] = results
    if (!authorized.ok) throw new AppError('ORACLE_UNREACHABLE')
    if (!authorized.value) throw new AppError('SIGNER_NOT_AUTHORIZED', { extra: { signerAddress: signer } })

    const { validitySeconds = VALIDITY.fallback } = body
    const validity = Math.min(Math.max(validitySeconds, VALIDITY.least), VALIDITY.most)
    const timestamp = block.time
    const validUntil = timestamp + validity
    const priceUsd = asPrice(price, market)
    const data = {
      action: 'SIGN_TYPED_DATA' as const,
      typedData: priceTypedData(market, { price, timestamp, validUntil }),
      display: {
        title: `Price of ${market.collateralSymbol}`,
        price: `${priceUsd} ${market.borrowSymbol} per ${market.collateralSymbol}`,
        validUntil: asInstant(validUntil),
        note: 'Whoever holds the signature may submit it until then. It cannot be taken back.',
      },
      price: price.toString(),
      priceUsd,
      timestamp,
      validUntil,
      signer,
    }
    return { data, block }
  }
}

export type SignPrice = ReturnType<typeof createSignPrice>
