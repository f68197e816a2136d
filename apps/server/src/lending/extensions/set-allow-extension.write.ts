import { lendingOperations } from '@tallystick/wire'
import { requireOperator } from '../core/index.rules.ts'
import { at, marketWrite, readOr, roleReads, signerBlock } from '../core/index.ts'
import { confirmedSetting, senderOf } from '../rates/index.ts'
import { extensionReads } from './extension.reads.ts'

const call = at('market', 'setAllowExtension', 'AllowExtensionUpdated')

/** The admin's switch over all extensions of a market. */
export const setAllowExtension = marketWrite(lendingOperations.setAllowExtension, {
  call,
  shape: 'flat',

  async build({ market, record: { wallets }, chain, body: { allowed }, refuse }) {
    const reading = chain.read([...extensionReads(market), ...roleReads(market.address, 'DEFAULT_ADMIN_ROLE', wallets)])
    const { block, results } = await readOr('MARKET_STATE_UNAVAILABLE', reading)
    const [, operator, ...roles] = results
    if (!operator.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
    requireOperator(operator.value, refuse)
    const signer = signerBlock('DEFAULT_ADMIN_ROLE', wallets, roles)
    const description = allowed
      ? 'Lets extensions be proposed, confirmed and applied.'
      : 'Stops proposals, confirmations and applications. What was applied stays; proposals can still be cancelled.'
    return { block, signer: senderOf(signer), args: { isAllowed: allowed }, answer: { ...signer, description } }
  },

  ...confirmedSetting(call.functionName),
})
