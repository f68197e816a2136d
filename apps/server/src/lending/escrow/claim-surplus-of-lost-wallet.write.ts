import { lendingOperations } from '@tallystick/wire'
import { requireAddressField } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { at, marketWrite, optionalAddress } from '../core/index.ts'
import { requireSuccessor, successorRead } from './successor.ts'

/** Surplus of a borrower who has no key any more: to the wallet that the token says took its place. */
export const claimSurplusOfLostWallet = marketWrite(lendingOperations.claimSurplusOfLostWallet, {
  call: at('market', 'claimSurplusOfLostWallet', 'SurplusClaimed'),

  async build({ market, chain, body, cash, refuse }) {
    const lostWallet = requireAddressField('lostWallet', body.lostWallet)
    const { block, results } = await chain.read([
      contractRead(market.address, abis.market, 'surplusOf', [lostWallet]),
      successorRead(market, lostWallet),
    ])
    const [surplus, found] = results
    if (!surplus.ok) throw refuse('SURPLUS_UNREADABLE')
    if (surplus.value === 0n) throw refuse('NO_ESCROWED_SURPLUS')
    const successor = requireSuccessor(found, refuse)
    const amount = cash(surplus.value)
    return {
      block,
      signer: null,
      args: { lostWallet },
      answer: {
        description: `Pays the ${amount} ${market.borrowSymbol} that are escrowed for the lost wallet ${lostWallet} to the wallet that took its place. Anybody may sign.`,
        lostWallet,
        successor,
        amount,
        amountRaw: surplus.value.toString(),
      },
    }
  },

  expect: ({ body }) => ({ borrower: optionalAddress('lostWallet', body.lostWallet) ?? undefined }),

  proven: ({ effect }, { cash }) => ({
    lostWallet: effect.borrower,
    amount: cash(effect.amount),
    amountRaw: effect.amount.toString(),
  }),
})
