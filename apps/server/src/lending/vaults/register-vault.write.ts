import { lendingOperations } from '@tallystick/wire'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { adminReads, at, marketWrite, requireAdmin } from '../core/index.ts'
import { confirmedFacts } from './confirmed-facts.ts'
import { optionalVault, requireVault } from './named-vault.ts'

const warnings = {
  VAULT_LIQUIDITY_OFF: 'The market does not draw on vaults: switch it on too.',
  VAULT_WITHOUT_CAP: 'The vault grants this market nothing yet: set a draw cap.',
  VAULT_OF_OTHER_OPERATOR:
    'The owner of the vault is not the operator of this market, so it cannot set a draw cap for it.',
} as const

const warning = (code: keyof typeof warnings, applies: boolean) => (applies ? [{ code, message: warnings[code] }] : [])

/** Another vault that the market draws on. */
export const registerVault = marketWrite(lendingOperations.registerVault, {
  call: at('market', 'registerVault', 'VaultRegistered'),
  shape: 'flat',

  async build({ market, record, chain, body, refuse }) {
    const vault = requireVault(body.vaultAddress)
    const { block, results } = await readNamed(chain, {
      ...adminReads(record),
      asset: contractRead(vault, abis.vault, 'asset', []),
      drawable: contractRead(vault, abis.vault, 'drawableFor', [market.address]),
      cap: contractRead(vault, abis.vault, 'drawCapOf', [market.address]),
      owner: contractRead(vault, abis.vault, 'owner', []),
      isEnabled: contractRead(market.address, abis.market, 'useVaultLiquidity', []),
    })
    const { operator, signing } = requireAdmin(results, record, refuse)
    const { asset, drawable, cap, owner, isEnabled } = results
    if (!asset.ok || !drawable.ok || asset.value.toLowerCase() !== market.borrowAsset) throw refuse('NOT_A_VAULT')
    return {
      block,
      signer: signing.signerAddress,
      args: { vault },
      answer: {
        ...signing,
        description: `Adds ${vault} to the vaults that the market draws on.`,
        vaultAddress: vault,
        warnings: [
          ...warning('VAULT_LIQUIDITY_OFF', isEnabled.ok && !isEnabled.value),
          ...warning('VAULT_WITHOUT_CAP', cap.ok && cap.value === 0n),
          ...warning('VAULT_OF_OTHER_OPERATOR', owner.ok && owner.value !== operator),
        ],
      },
    }
  },

  expect: ({ body }) => ({ vault: optionalVault(body.vaultAddress) }),

  proven: (proof) => ({ ...confirmedFacts(proof), vaultAddress: proof.effect.vault, registered: true }),
})
