import { type Abi, type Address, keccak256, toHex, zeroHash } from 'viem'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'

export const roles = {
  DEFAULT_ADMIN_ROLE: zeroHash,
  ISSUER_ROLE: keccak256(toHex('ISSUER_ROLE')),
  LIQUIDATOR_ROLE: keccak256(toHex('LIQUIDATOR_ROLE')),
  OPERATOR_ROLE: keccak256(toHex('OPERATOR_ROLE')),
} as const

export type Role = keyof typeof roles

export interface SignerBlock {
  readonly requiredRole: string | null
  readonly requiredSigner: Address | null
  readonly heldByThisInstance: boolean | null
  readonly signerAddress: Address | null
  readonly note: string | null
}

/** One read per wallet of the instance: does it hold the role? */
export function roleReads(contract: Address, role: Role, wallets: readonly Address[]): ContractRead<boolean>[] {
  return wallets.map(
    (wallet) => contractRead(contract, abis.market as Abi, 'hasRole', [roles[role], wallet]) as ContractRead<boolean>,
  )
}

/** Who of the instance can sign, from the answers to `roleReads`. `results` null: the check could not finish. */
export function signerBlock(
  requiredRole: string,
  wallets: readonly Address[],
  results: readonly ReadResult<boolean>[] | null,
): SignerBlock {
  const base = { requiredRole, requiredSigner: null }
  const unread = results === null || results.some((result) => !result.ok)
  const holder = results ? wallets.find((_, index) => isTrue(results[index])) : undefined
  if (holder) return { ...base, heldByThisInstance: true, signerAddress: holder, note: null }
  return {
    ...base,
    heldByThisInstance: unread ? null : false,
    signerAddress: null,
    note: unread
      ? `It could not be read whether a wallet of your instance holds ${requiredRole}. Whoever signs must hold it.`
      : `No verified wallet of your instance holds ${requiredRole}: the wallet that the role was placed with must sign. Any other reverts with NotAuthorized.`,
  }
}

const isTrue = (result: ReadResult<boolean> | undefined) => result?.ok === true && result.value

/** The same for a contract with an owner instead of roles. */
export function ownerBlock(
  requiredRole: string,
  wallets: readonly Address[],
  owner: ReadResult<Address> | null,
): SignerBlock {
  if (!owner?.ok)
    return {
      requiredRole,
      requiredSigner: null,
      heldByThisInstance: null,
      signerAddress: null,
      note: 'The owner of the contract could not be read. The owner must sign.',
    }
  const current = owner.value.toLowerCase() as Address
  const held = wallets.includes(current)
  return {
    requiredRole,
    requiredSigner: current,
    heldByThisInstance: held,
    signerAddress: held ? current : null,
    note: held
      ? null
      : `${current} owns the contract and must sign. Any other wallet reverts with OwnableUnauthorizedAccount.`,
  }
}
