import type { SignedPriceBody } from '@tallystick/wire'
import type { Hex } from 'viem'
import type { AppCode } from '../../platform/app-error.ts'
import { AppError } from '../../platform/app-error.ts'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { explainLending } from '../reverts/index.ts'
import type { SignedPrice } from './oracle.rules.ts'
import { refusalOf } from './verdict.ts'

/** What a call carries that brings no price of its own: then the oracle's stored one counts. */
export const noSignedPrice: SignedPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' }

export function signedPriceOf(body: SignedPriceBody | undefined): SignedPrice {
  if (!body) return noSignedPrice
  return {
    price: BigInt(body.price),
    timestamp: BigInt(body.timestamp),
    validUntil: BigInt(body.validUntil),
    signature: body.signature.toLowerCase() as Hex,
  }
}

const codes: Record<string, AppCode> = {
  PriceDeviationTooLarge: 'PRICE_DEVIATION_TOO_LARGE',
  PriceWindowDeviationTooLarge: 'PRICE_WINDOW_DEVIATION_TOO_LARGE',
  PriceNotNewer: 'SIGNED_PRICE_OUTDATED',
}

/** Refuses a signed price as the oracle would, in words a caller can act on. `result` answers `pushRead`. */
export function requireAcceptedPrice(result: ReadResult<unknown>): void {
  if (result.ok) return
  const refused = refusalOf(result.revert)
  if (!refused) throw new ChainUnavailableError('the oracle did not answer')
  const { message } = explainLending(result.revert)
  const code = codes[refused.errorName]
  if (code) throw new AppError(code, { detail: message })
  const signer = refused.errorName === 'NotSigner' ? refused.args[0].toLowerCase() : null
  throw new AppError('INVALID_SIGNED_PRICE', {
    detail: message,
    extra: { details: { signer, reason: refused.errorName } },
  })
}
