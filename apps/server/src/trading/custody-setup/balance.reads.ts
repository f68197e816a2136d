import { type Address, erc20Abi, parseAbi } from 'viem'
import { readBounded } from '../../platform/chain/bounded-reads.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Backing } from './balance.rules.ts'

const freezable = parseAbi(['function getFrozenTokens(address account) view returns (uint256)'])

/** Of a user in a vault. Null: the vault is silent, and silence is no balance. */
export async function readVaultBalance(chain: Chain, vault: Address, user: Address, token: Address) {
  const { block, results } = await readBounded(chain, {
    account: contractRead(vault, abis.tradingVault, 'accountOf', [user, token]),
    info: contractRead(vault, abis.tradingVault, 'tokenInfo', [token]),
  })
  if (!results.account.ok || !results.info.ok) return null
  const { free, committed, requested, readyAt } = results.account.value
  const [, , , decimals] = results.info.value
  // What was asked back may still be spent, but nobody may count on it.
  const backing: Backing = { total: free + committed, onChainAvailable: committed - requested }
  return {
    block,
    decimals,
    backing,
    vault: {
      free: free.toString(),
      committed: committed.toString(),
      requested: requested.toString(),
      readyAt: requested === 0n ? null : Number(readyAt),
    },
  }
}

export const walletReads = (settlement: Address, user: Address, token: Address) => ({
  security: contractRead(settlement, abis.signedOrderSettlement, 'securityOf', [token]),
  spendable: contractRead(settlement, abis.signedOrderSettlement, 'spendable', [token, user]),
  balance: contractRead(token, erc20Abi, 'balanceOf', [user]),
  decimals: contractRead(token, erc20Abi, 'decimals', []),
  frozen: contractRead(token, freezable, 'getFrozenTokens', [user]),
})

/** Of a wallet, null when token or contract are silent: a security is what is not frozen, anything else what the settlement contract may take. */
export function walletBacking(results: NamedResults<ReturnType<typeof walletReads>>) {
  const { security, spendable, balance, decimals, frozen } = results
  if (!security.ok || !spendable.ok || !balance.ok || !decimals.ok) return null
  const total = balance.value
  const blocked = frozen.ok ? frozen.value : total
  const unfrozen = total > blocked ? total - blocked : 0n
  const backing: Backing = { total, onChainAvailable: security.value.isRegistered ? unfrozen : spendable.value }
  return { backing, decimals: decimals.value }
}

export async function readWalletBalance(chain: Chain, settlement: Address, user: Address, token: Address) {
  const { block, results } = await readBounded(chain, walletReads(settlement, user, token))
  const found = walletBacking(results)
  return found && { block, ...found, vault: null }
}
