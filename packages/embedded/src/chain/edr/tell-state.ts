import type { Ask } from './binding.ts'
import type { Hex } from './hex.ts'
import type { AccountChange, Changes } from './world-state.ts'

/** More would make a start wait longer than the questions would take. */
const MOST_SLOTS = 4_000

/** The engine wants a slot without leading zeros. */
const shortened = (slot: string): Hex => `0x${slot.slice(2).replace(/^0+/, '') || '0'}`

/**
 * Tells an engine that goes on from the archive what the archive has, account by account. Untold, it would look with every call into the
 * files of what it asked before, three for an account and one for a slot. `untold` are accounts whose storage nobody reads.
 */
export async function tellState(ask: Ask, state: Changes, untold: ReadonlySet<Hex>): Promise<void> {
  let slots = 0
  for (const [address, account] of Object.entries(state) as [Hex, AccountChange | null][]) {
    if (!account || untold.has(address)) continue
    const { balance, nonce, code, storage = {} } = account
    if (balance !== undefined) await ask('hardhat_setBalance', [address, balance])
    if (nonce !== undefined) await ask('hardhat_setNonce', [address, nonce])
    if (code !== undefined && code !== '0x') await ask('hardhat_setCode', [address, code])
    for (const [slot, value] of Object.entries(storage)) {
      if (slots === MOST_SLOTS) break
      slots += 1
      await ask('hardhat_setStorageAt', [address, shortened(slot), value])
    }
  }
}
