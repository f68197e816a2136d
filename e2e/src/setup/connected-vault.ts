import { type Address, signAndConfirm } from '@tallystick/sdk'
import type { Demo } from '../demo/demo.ts'

const DRAW_CAP = '100000'

/** A vault of the lender that serves the market. The first journey makes it, all others find it. */
export async function connectedVault(demo: Demo, marketLabel: string): Promise<Address> {
  const { lending } = demo.tally('lender')
  const lender = demo.wallet('Lender of record')
  const marketId = demo.market(marketLabel, 'lender')
  const params = { marketId }
  const { data } = await lending.listConnectedVaults({ params })
  const known = data.vaults.find((vault) => vault.registered && !vault.readFailed && vault.depositable)
  if (known) return known.vaultAddress

  // Named at the creation, the market has its cap at once; later it would be announced and wait.
  const markets = [{ marketId, cap: DRAW_CAP }]
  const body = { name: 'Nordlicht Liquidity', symbol: 'NLV', assetAddress: demo.token('dEUR'), markets }
  const { hashes } = await signAndConfirm(lending.deployVault, { body }, lender)
  const [txHash] = hashes
  if (!txHash) throw new Error('the vault was not created')
  const created = await lending.deployVault({ body: { txHash } })
  const { vaultAddress } = created.data.vault
  await signAndConfirm(lending.registerVault, { params, body: { vaultAddress } }, lender)
  await signAndConfirm(lending.setVaultLiquidity, { params, body: { enabled: true } }, lender)
  return vaultAddress
}
