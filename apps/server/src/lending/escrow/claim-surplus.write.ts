import { lendingOperations } from '@tallystick/wire'
import { requireAddressField } from '../../platform/chain/address.ts'
import { at, marketWrite } from '../core/index.ts'
import { readSurplus } from './surplus.reads.ts'

/** What liquidations yielded beyond the debt, and the borrow asset refused to pay out: whoever signs gets their own, the call names nobody. */
export const claimSurplus = marketWrite(lendingOperations.claimSurplus, {
  call: at('market', 'claimSurplus', 'SurplusClaimed'),

  async build({ market, chain, body, cash, refuse }) {
    const holder = requireAddressField('holderAddress', body.holderAddress)
    const { block, surplus } = await readSurplus(chain, market, holder)
    if (surplus === null) throw refuse('SURPLUS_UNREADABLE')
    if (surplus === 0n) throw refuse('NO_ESCROWED_SURPLUS')
    return {
      block,
      signer: holder,
      args: {},
      answer: {
        description: `Pays ${holder} the ${cash(surplus)} ${market.borrowSymbol} that are escrowed for it. Only that wallet can sign.`,
        holderAddress: holder,
        escrowedSurplus: cash(surplus),
        escrowedSurplusRaw: surplus.toString(),
      },
    }
  },

  expect: () => ({}),

  proven: ({ effect }, { cash }) => ({
    claimedBy: effect.borrower,
    amount: cash(effect.amount),
    amountRaw: effect.amount.toString(),
  }),
})
