import { lendingOperations } from '@tallystick/wire'
import { requireAddressField } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { at, optionalAddress } from '../core/index.ts'
import { feeAnswer, movedFees } from './vault-fees.ts'
import { vaultWrite } from './vault-write.ts'

/** Fees that a market owes the vault as a provider. */
export const collectDistributorFees = vaultWrite(lendingOperations.collectDistributorFees, {
  call: at('vault', 'collectDistributorFees', 'DistributorFeesCollected'),

  async build(request) {
    const { vault, chain, body, refuse } = request
    const market = requireAddressField('marketAddress', body.marketAddress)
    const { block, results } = await chain.read([
      contractRead(vault.address, abis.vault, 'markets', []),
      contractRead(market, abis.market, 'distributorFeesPayable', [vault.address]),
    ])
    const [markets, payable] = results
    if (!markets.ok) throw refuse('VAULT_STATE_UNAVAILABLE')
    if (!markets.value.some((one) => one.toLowerCase() === market)) throw refuse('MARKET_NOT_KNOWN')
    if (!payable.ok) throw refuse('VAULT_STATE_UNAVAILABLE')
    if (payable.value === 0n) throw refuse('NOTHING_ACCRUED')
    return {
      block,
      signer: null,
      args: { market },
      confirmWith: { marketAddress: market },
      answer: {
        ...feeAnswer(request, 'Fetches the fees of a market:', payable.value, vault.address),
        marketAddress: market,
      },
    }
  },

  expect: ({ body }) => ({ market: optionalAddress('marketAddress', body.marketAddress) ?? undefined }),

  proven: (proof, request) => ({
    ...movedFees(proof, request),
    action: 'collect' as const,
    events: ['COLLECTED' as const],
    marketAddress: proof.effect.market,
  }),
})
