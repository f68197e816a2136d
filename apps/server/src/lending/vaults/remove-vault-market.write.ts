import { lendingOperations } from '@tallystick/wire'
import { requireAddressField } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { at, optionalAddress, ownerBlock } from '../core/index.ts'
import { confirmedFacts } from './confirmed-facts.ts'
import { walletsOf } from './created-vaults.service.ts'
import { vaultWrite } from './vault-write.ts'

/** A market that a vault shall serve no longer: it has nothing there, or the market is dead. */
export const removeVaultMarket = vaultWrite(lendingOperations.removeVaultMarket, {
  call: at('vault', 'removeMarket', 'MarketRemoved'),

  async build({ vault, chain, body, tenant, refuse }) {
    const marketAddress = requireAddressField('marketAddress', body.marketAddress)
    const wallets = await walletsOf(tenant)
    const { block, results } = await readNamed(chain, {
      markets: contractRead(vault.address, abis.vault, 'markets', []),
      owner: contractRead(vault.address, abis.vault, 'owner', []),
      shares: contractRead(marketAddress, abis.market, 'sharesOf', [vault.address]),
    })
    const { markets, owner, shares } = results
    if (!markets.ok) throw refuse('VAULTS_UNREADABLE')
    if (!markets.value.some((one) => one.toLowerCase() === marketAddress)) throw refuse('MARKET_NOT_KNOWN')
    if (shares.ok && shares.value !== 0n) throw refuse('MARKET_HOLDS_MONEY')
    const signing = ownerBlock('OWNER', wallets, owner)
    return {
      block,
      signer: signing.requiredSigner,
      args: { market: marketAddress },
      answer: {
        ...signing,
        description: shares.ok
          ? `Takes the market ${marketAddress} off the list of the vault, which has nothing there.`
          : `Takes the market ${marketAddress} off the list of the vault. It does not answer: what the vault has there is given up.`,
        vaultAddress: vault.address,
        marketAddress,
        writesOff: !shares.ok,
      },
    }
  },

  expect: ({ body }) => ({ market: optionalAddress('marketAddress', body.marketAddress) ?? undefined }),

  proven: (proof, { vault }) => ({
    ...confirmedFacts(proof),
    vaultAddress: vault.address,
    marketAddress: proof.effect.market,
    writtenOff: proof.effect.isWrittenOff,
  }),
})
