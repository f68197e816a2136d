import { lendingOperations } from '@tallystick/wire'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { requireOperator } from '../core/index.rules.ts'
import { at, marketWrite, readOr, roleReads, signerBlock } from '../core/index.ts'
import { confirmedSetting, senderOf } from './setting.ts'

const call = at('market', 'setReserveRatio', 'ReserveRatioUpdated')

/** The part of the pool that is not lent: it is the issuer's to set. */
export const setReserveRatio = marketWrite(lendingOperations.setReserveRatio, {
  call,
  shape: 'flat',

  async build({ market, record: { wallets }, chain, body: { reserveRatioBps }, refuse }) {
    const reading = chain.read([
      contractRead(market.address, abis.market, 'operatorFeeRecipient', []),
      ...roleReads(market.address, 'ISSUER_ROLE', wallets),
    ])
    const { block, results } = await readOr('MARKET_STATE_UNAVAILABLE', reading)
    const [operator, ...roles] = results
    if (!operator?.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
    requireOperator(operator.value, refuse)
    const signer = signerBlock('ISSUER_ROLE', wallets, roles)
    const description = `Keeps ${reserveRatioBps} bps of the pool from borrowers. Providers may withdraw it.`
    return {
      block,
      signer: senderOf(signer),
      args: { newRatioBps: BigInt(reserveRatioBps) },
      answer: { ...signer, description },
    }
  },

  ...confirmedSetting(call.functionName),
})
