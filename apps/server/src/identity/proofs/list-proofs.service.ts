import { type Address, getAddress } from 'viem'
import { requireAddress } from '../../platform/chain/address.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import {
  type ClaimState,
  type FindRegister,
  type IdentityCall,
  latestReader,
  type NamedRegister,
} from '../register/index.ts'
import { slotAt } from '../values/index.rules.ts'
import { type LedgerRow, listLedger } from './proofs.store.ts'

/** The row of the ledger that filed this very claim: the slot may have been filled anew since. */
function backingOf({ slot, dataHash, issuedAt, signature }: ClaimState, ledger: readonly LedgerRow[]) {
  return ledger.find(
    (row) =>
      row.slot === slot.index &&
      row.dataHash === dataHash &&
      (signature === null ? Number(row.filedAt) === issuedAt : row.signature === signature),
  )
}

const showClaim = (claim: ClaimState, row: LedgerRow | undefined) => ({
  claimType: claim.slot.index,
  claimTypeLabel: claim.slot.name,
  fieldName: row?.fieldName ?? null,
  proofDigest: row?.proofDigest ?? null,
  source: row ? ('proof' as const) : ('manual' as const),
  dataHash: claim.dataHash,
  issuer: claim.issuer,
  issuedAt: claim.issuedAt,
  expiry: claim.expiry,
  txHash: row?.txHash ?? null,
})

/** Nobody knows whether the claim is still active. */
const showRow = (row: LedgerRow) => ({
  claimType: row.slot,
  claimTypeLabel: slotAt(row.slot).name,
  fieldName: row.fieldName,
  proofDigest: row.proofDigest,
  source: 'proof' as const,
  dataHash: row.dataHash,
  issuer: null,
  issuedAt: null,
  expiry: null,
  txHash: row.txHash,
})

/** The newest row of each slot. */
const newest = (ledger: readonly LedgerRow[]) =>
  ledger
    .filter((row, index) => ledger.findIndex((other) => other.slot === row.slot) === index)
    .toSorted((a, b) => a.slot - b.slot)

/** What backs the claims of a wallet. */
export function createListProofs(registers: FindRegister) {
  async function readChain(named: NamedRegister, wallet: Address) {
    const reader = latestReader(named.chain)
    const { register } = await registers.recognised(named)
    const state = await register.identity(reader, wallet)
    return { state, claims: await register.claims(reader, wallet), block: reader.block() }
  }

  return async (call: IdentityCall, walletText: string, registryAddress: string | undefined) => {
    const wallet = requireAddress(walletText)
    const named = await registers.named(call, registryAddress)
    const { tenant, instance } = call
    const key = { chainId: instance.chainId, registry: named.address, wallet }
    const [ledger, chain] = await Promise.all([
      tenant.read((sql) => listLedger(sql, tenant.instanceId, key)),
      chainOrNull(readChain(named, wallet)),
    ])
    const active = chain?.claims.filter(({ isActive }) => isActive)
    const data = {
      walletAddress: getAddress(wallet),
      registryAddress: named.address,
      rootHash: chain?.state.wasEverVerified ? chain.state.kycHash : null,
      verified: chain?.state.isVerified ?? null,
      frozen: chain?.state.isFrozen ?? null,
      chainUnavailable: chain === null,
      proofs: active ? active.map((claim) => showClaim(claim, backingOf(claim, ledger))) : newest(ledger).map(showRow),
    }
    return chain ? { data, block: chain.block } : { data }
  }
}

export type ListProofs = ReturnType<typeof createListProofs>
