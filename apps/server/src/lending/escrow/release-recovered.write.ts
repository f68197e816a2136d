import { lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { candidate } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { at, optionalAddress, provenMarketWrite } from '../core/index.ts'

const call = at('freezeAdapter', 'releaseRecovered', 'RecoveredReleaseMade')

function requireFreeze({ mode, adapter }: Market, refuse: Refuse<'NOT_FREEZE_MODE'>): Address {
  if (mode !== 'FREEZE') throw refuse('NOT_FREEZE_MODE')
  return adapter
}

/** Shares of a loan that is paid, frozen in the wallet that they moved to when the old one was recovered. */
export const releaseRecovered = provenMarketWrite(lendingOperations.releaseRecovered, {
  async build({ market, chain, body, tokens, refuse }) {
    const adapterAddress = requireFreeze(market, refuse)
    const lostWallet = requireAddressField('lostWallet', body.lostWallet)
    const newWallet = requireAddressField('newWallet', body.newWallet)
    const { block, results } = await chain.read([
      contractRead(adapterAddress, abis.freezeAdapter, 'deferredReleaseOf', [lostWallet]),
    ])
    const [deferred] = results
    if (!deferred.ok) throw refuse('RELEASE_UNREADABLE')
    if (deferred.value === 0n) throw refuse('NOTHING_DEFERRED')
    return {
      block,
      signer: null,
      args: { call: call.prepare(adapterAddress, { lostWallet, newWallet }), functionName: call.functionName },
      answer: {
        description: `Unfreezes at ${newWallet} what a repayment freed of ${lostWallet}, as far as it is frozen there. Anybody may sign.`,
        lostWallet,
        newWallet,
        adapterAddress,
        deferred: tokens(deferred.value),
        deferredRaw: deferred.value.toString(),
      },
    }
  },

  evidence: ({ market, body, refuse }) => ({
    target: requireFreeze(market, refuse),
    kind: call.kind,
    candidates: [
      candidate(call, {
        lostWallet: optionalAddress('lostWallet', body.lostWallet) ?? undefined,
        newWallet: optionalAddress('newWallet', body.newWallet) ?? undefined,
      }),
    ],
  }),

  proven: ({ target, effect }, { tokens }) => ({
    lostWallet: effect.lostWallet,
    newWallet: effect.newWallet,
    adapterAddress: target,
    amount: tokens(effect.amount),
    amountRaw: effect.amount.toString(),
  }),
})
