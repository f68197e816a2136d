import type { Hex } from './hex.ts'

/** What one block, or one direct change, made of accounts. A field that is absent did not change; `null` is an account that is gone. */
export type Changes = Record<Hex, AccountChange | null>

export interface AccountChange {
  balance?: Hex
  nonce?: Hex
  code?: Hex
  storage?: Record<Hex, Hex>
}

interface Account {
  balance: Hex
  nonce: Hex
  code: Hex
  storage: Map<Hex, Hex>
}

const nobody: Readonly<Account> = { balance: '0x0', nonce: '0x0', code: '0x', storage: new Map() }
export const emptyWord: Hex = `0x${'0'.repeat(64)}`

/** The state of all accounts after the newest block, and how to go back from there. */
export interface WorldState {
  /** Returns what undoes it. */
  apply(changes: Changes): Changes
  balance(address: Hex): Hex
  nonce(address: Hex): Hex
  code(address: Hex): Hex
  slot(address: Hex, slot: Hex): Hex
  /** Everything, as one change of an empty world. */
  whole(): Changes
}

export function createWorldState(): WorldState {
  const accounts = new Map<Hex, Account>()
  const at = (address: Hex) => accounts.get(address) ?? nobody

  function replaceStorage(account: Account, storage: Record<Hex, Hex>): Record<Hex, Hex> {
    const before: Record<Hex, Hex> = {}
    for (const [slot, value] of Object.entries(storage) as [Hex, Hex][]) {
      before[slot] = account.storage.get(slot) ?? emptyWord
      if (value === emptyWord) account.storage.delete(slot)
      else account.storage.set(slot, value)
    }
    return before
  }

  function change(address: Hex, wanted: AccountChange | null): AccountChange | null {
    const known = accounts.get(address)
    if (wanted === null) {
      accounts.delete(address)
      return known ? wholeAccount(known) : null
    }
    const account = known ?? { ...nobody, storage: new Map<Hex, Hex>() }
    accounts.set(address, account)
    const { balance, nonce, code } = account
    account.balance = wanted.balance ?? balance
    account.nonce = wanted.nonce ?? nonce
    account.code = wanted.code ?? code
    const slots = replaceStorage(account, wanted.storage ?? {})
    return known ? { balance, nonce, ...(wanted.code === undefined ? {} : { code }), storage: slots } : null
  }

  return {
    apply: (changes) =>
      Object.fromEntries(
        (Object.entries(changes) as [Hex, AccountChange | null][]).map(([address, wanted]) => [
          address,
          change(address, wanted),
        ]),
      ),
    balance: (address) => at(address).balance,
    nonce: (address) => at(address).nonce,
    code: (address) => at(address).code,
    slot: (address, slot) => at(address).storage.get(slot) ?? emptyWord,
    whole: () => Object.fromEntries([...accounts].map(([address, account]) => [address, wholeAccount(account)])),
  }
}

function wholeAccount({ balance, nonce, code, storage }: Account): AccountChange {
  return { balance, nonce, code, storage: Object.fromEntries(storage) }
}
