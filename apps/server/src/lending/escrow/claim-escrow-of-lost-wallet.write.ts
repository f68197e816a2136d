import { lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { candidate } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { at, optionalAddress, provenMarketWrite } from '../core/index.ts'
import { requireSuccessor, successorRead } from './successor.ts'

const call = at('custodyAdapter', 'claimEscrowOfLostWallet', 'EscrowedCollateralClaimed')

function requireCustody({ mode, adapter }: Market, refuse: Refuse<'NOT_CUSTODY_MODE' | 'NO_ADAPTER'>): Address {
  if (mode !== 'CUSTODY') throw refuse('NOT_CUSTODY_MODE')
  if (adapter === zeroAddress) throw refuse('NO_ADAPTER')
  return adapter
}

/** Collateral that the token would not give back to a wallet that is lost: to the one that took its place. */
export const claimEscrowOfLostWallet = provenMarketWrite(lendingOperations.claimEscrowOfLostWallet, {
  async build({ market, chain, body, tokens, refuse }) {
    const adapterAddress = requireCustody(market, refuse)
    const lostWallet = requireAddressField('lostWallet', body.lostWallet)
    const { block, results } = await chain.read([
      contractRead(adapterAddress, abis.custodyAdapter, 'escrowOf', [lostWallet]),
      successorRead(market, lostWallet),
    ])
    const [escrow, found] = results
    if (!escrow.ok) throw refuse('ESCROW_UNREADABLE')
    if (escrow.value === 0n) throw refuse('NO_ESCROWED_COLLATERAL')
    const successor = requireSuccessor(found, refuse)
    const amount = tokens(escrow.value)
    return {
      block,
      signer: null,
      args: { call: call.prepare(adapterAddress, { lostWallet }), functionName: call.functionName },
      answer: {
        description: `Returns the ${amount} ${market.collateralSymbol} of collateral that are escrowed for the lost wallet ${lostWallet} to the wallet that took its place. Anybody may sign.`,
        lostWallet,
        successor,
        adapterAddress,
        amount,
        amountRaw: escrow.value.toString(),
      },
    }
  },

  evidence: ({ market, body, refuse }) => ({
    target: requireCustody(market, refuse),
    kind: call.kind,
    candidates: [candidate(call, { holder: optionalAddress('lostWallet', body.lostWallet) ?? undefined })],
  }),

  proven: ({ target, effect }, { tokens }) => ({
    lostWallet: effect.holder,
    adapterAddress: target,
    amount: tokens(effect.amount),
    amountRaw: effect.amount.toString(),
  }),
})
