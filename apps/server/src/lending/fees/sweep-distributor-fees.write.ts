import { lendingOperations } from '@tallystick/wire'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { assetOf } from '../core/index.rules.ts'
import { at, marketWrite, optionalAddress } from '../core/index.ts'
import { amounts, NOTE, readBooked, sweptAnswer } from './sweeps.ts'

const NOTE_CONTRACT =
  'This provider is a contract, so only itself may collect: send the call through it. The market pays what is owed when the transaction is mined.'

/** To one provider; without a name to the operator wallet. */
export const sweepDistributorFees = marketWrite(lendingOperations.sweepDistributorFees, {
  call: at('market', 'sweepDistributorFees', 'DistributorFeePaid'),

  async build({ market, chain, body, refuse, attempt }) {
    const named = optionalAddress('provider', body.provider)
    const { operator, isAdopted, offeredShareBps } = await readBooked(chain, market)
    if (isAdopted === false) throw refuse('MARKET_NOT_ADOPTED')
    if (offeredShareBps !== null) throw refuse('MARKET_UPGRADE_REQUIRED')
    const provider = named ?? operator
    if (!provider) throw refuse('MARKET_STATE_UNAVAILABLE')
    const { block, results } = await chain.read([
      contractRead(market.address, abis.market, 'distributorFeesPayable', [provider]),
      // Only a vault answers this.
      contractRead(provider, abis.vault, 'drawableFor', [market.address]),
    ])
    const [payable, drawable] = results
    if (!payable.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
    if (drawable.ok) throw refuse('VAULT_COLLECTS_ITSELF')
    if (payable.value === 0n) throw refuse('NOTHING_ACCRUED')

    const args = { provider }
    const byAnybody = await attempt(args, null)
    const mustSignItself = byAnybody.simulation.revert?.error === 'ProviderCollectsItself'
    const signer = mustSignItself ? provider : null
    const built = mustSignItself ? await attempt(args, signer) : byAnybody
    const { simulated, revert } = built.simulation
    if (simulated && revert) throw refuse('TX_WOULD_REVERT', { detail: revert.message })
    const answer = {
      description: `Pays ${provider} its distributor fees of ${amounts(market, payable.value).amount} ${market.borrowSymbol}.`,
      permissionless: !mustSignItself,
      requiredRole: null,
      requiredSigner: signer,
      note: mustSignItself ? NOTE_CONTRACT : NOTE,
      provider,
      recipient: provider,
      ...amounts(market, payable.value),
      asset: assetOf(market),
    }
    return { block, signer, args, built, answer }
  },

  expect: ({ body }) => ({ provider: optionalAddress('provider', body.provider) ?? undefined }),

  proven: (proof, { market }) => ({
    ...sweptAnswer(market, proof),
    provider: proof.effect.provider,
    recipient: proof.effect.provider,
  }),
})
