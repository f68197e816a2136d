import { type Address, erc20Abi, parseAbi, zeroAddress } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { allValues, contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { vaultReads, vaultState } from './vault-state.reads.ts'
import { announcementOf } from './vaults.rules.ts'

/** The contracts take the first word of whatever a register answers: verified is exactly 1. */
const registerAbi = parseAbi(['function isVerified(address) view returns (uint256)'])

interface Question {
  readonly vault: { readonly address: Address; readonly asset: Address }
  /** Of whom something is asked; null: nobody. */
  readonly holder: Address | null
  readonly markets: readonly Address[]
  readonly registry: Address | null
}

function holderReads({ vault, holder, registry }: Question) {
  if (!holder) return { held: [], distributor: [], balance: [], fresh: [], verified: [] }
  return {
    held: [contractRead(vault.address, abis.vault, 'balanceOf', [holder])],
    distributor: [contractRead(vault.address, abis.vault, 'distributorOf', [holder])],
    balance: [contractRead(vault.asset, erc20Abi, 'balanceOf', [holder])],
    fresh: [contractRead(vault.address, abis.vault, 'freshSharesOf', [holder])],
    // Last of all: nobody vouches for a register, and one that burns its gas burns no other answer.
    verified: registry ? [contractRead(registry, registerAbi, 'isVerified', [holder])] : [],
  }
}

async function readOnce(chain: Chain, question: Question) {
  const { vault, holder, markets, registry } = question
  const { block, results } = await readNamed(chain, {
    state: [...vaultReads(vault.address)],
    poolShares: markets.map((market) => contractRead(market, abis.market, 'sharesOf', [vault.address])),
    pools: markets.map((market) => contractRead(market, abis.market, 'pool', [])),
    caps: markets.map((market) => contractRead(vault.address, abis.vault, 'drawCapOf', [market])),
    announcements: markets.map((market) => contractRead(vault.address, abis.vault, 'announcementOf', [market])),
    ...holderReads(question),
  })
  const state = vaultState(results.state as unknown as Parameters<typeof vaultState>[0])
  const holding = allValues([...results.held, ...results.balance])
  const distributors = allValues(results.distributor)
  if (!state || !holding || !distributors) return null
  const [held = 0n, balance = 0n] = holding
  const [distributor = zeroAddress] = distributors
  const [verified] = results.verified
  const [fresh] = results.fresh
  const positions = state.markets.flatMap((market) => {
    const index = markets.indexOf(market)
    const [shares, pool, cap] = [results.poolShares[index], results.pools[index], results.caps[index]]
    return shares?.ok && pool?.ok && cap?.ok ? [{ market, shares: shares.value, pool: pool.value, cap: cap.value }] : []
  })
  // A market that the vault itself cannot read counts for nothing there too.
  const unread = state.unreadableMarkets.filter((market) => !positions.some((one) => one.market === market))
  return {
    block,
    state,
    positions: positions.filter(({ market }) => !state.unreadableMarkets.includes(market)),
    announcements: markets.flatMap((market, index) => {
      const told = results.announcements[index]
      const announcement = told?.ok ? announcementOf(told.value) : null
      return announcement && announcement.readyAt !== 0 ? [{ market, ...announcement }] : []
    }),
    isComplete:
      positions.length + unread.length === state.markets.length && (!holder || registry === state.depositorRegistry),
    holder: holder && {
      address: holder,
      shares: held,
      balance,
      /** Of the shares, those that cannot be redeemed yet, and until when. */
      fresh: fresh?.ok ? { shares: fresh.value[0], matureAt: Number(fresh.value[1]) } : { shares: 0n, matureAt: 0 },
      distributor: distributor === zeroAddress ? null : (distributor.toLowerCase() as Address),
      // A register that does not answer refuses everybody.
      isVerified: state.depositorRegistry === null || (verified?.ok === true && verified.value === 1n),
    },
  }
}

/**
 * A vault, where its money is, and what it has to do with a holder, at one block: in one round trip when what is known of its markets
 * and its register is up to date, else in a second. Null: it does not answer as a vault.
 */
export async function readVaultBooks(chain: Chain, question: Question) {
  const first = await readOnce(chain, question)
  if (!first || first.isComplete) return first
  const { depositorRegistry: registry } = first.state
  const markets = [...new Set([...first.state.markets, ...question.markets])]
  const second = await readOnce(chain, { ...question, markets, registry })
  return second?.isComplete ? second : null
}

export type VaultBooks = NonNullable<Awaited<ReturnType<typeof readVaultBooks>>>
export type VaultHolder = NonNullable<VaultBooks['holder']>
