import { type identityStatuses, investorTypes } from '@tallystick/wire'
import { type Address, getAddress } from 'viem'
import { requireAddress } from '../../platform/chain/address.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { type FindRegister, type IdentityCall, type IdentityState, latestReader } from '../register/index.ts'
import { alpha3Of } from '../values/index.rules.ts'
import { type IdentityRecord, readRecord } from './records.store.ts'

type Status = (typeof identityStatuses)[number]
const statuses = ['active', 'soft_expired', 'hard_expired', 'revoked'] as const satisfies readonly Status[]

/** A wallet that was never verified reads like a revoked one on chain; only its record tells the difference. */
export const statusOf = ({ wasEverVerified, statusCode }: IdentityState): Status =>
  wasEverVerified ? (statuses[statusCode] ?? 'revoked') : 'none'

const showState = (state: IdentityState) => ({
  kycHash: state.wasEverVerified ? state.kycHash : null,
  investorType: state.investorType,
  investorTypeLabel: state.investorType === null ? null : (investorTypes[state.investorType] ?? null),
  kycProvider: state.provider,
  identityAddress: state.identityAddress,
  country: alpha3Of(state.country),
  timestamp: state.verifiedAt,
  softExpiry: state.softExpiry,
  hardExpiry: state.hardExpiry,
  status: statusOf(state),
  statusCode: state.statusCode,
  frozen: state.isFrozen,
  isVerified: state.isVerified,
})

const unavailable = {
  kycHash: null,
  investorType: null,
  investorTypeLabel: null,
  kycProvider: null,
  identityAddress: null,
  country: null,
  timestamp: null,
  softExpiry: null,
  hardExpiry: null,
  status: null,
  statusCode: null,
  frozen: null,
  isVerified: null,
  unavailable: true as const,
  unavailableReason: 'The registry could not be read. Nothing is known about the wallet on chain.',
}

const showRecord = ({ verifiedAt, ...record }: IdentityRecord) => ({
  ...record,
  verifiedAt: verifiedAt?.toISOString() ?? null,
})

/** What the chain and the record say about a wallet. */
export function createReadStatus(registers: FindRegister) {
  return async (call: IdentityCall, walletText: string, registryAddress: string | undefined) => {
    const wallet: Address = requireAddress(walletText)
    const named = await registers.named(call, registryAddress)
    const { tenant, instance } = call
    const key = { chainId: instance.chainId, registry: named.address, wallet }
    const reader = latestReader(named.chain)
    const [[record], found] = await Promise.all([
      tenant.read((sql) => readRecord(sql, tenant.instanceId, key)),
      chainOrNull(registers.recognised(named)),
    ])
    const state = found && (await chainOrNull(found.register.identity(reader, wallet)))
    const data = {
      walletAddress: getAddress(wallet),
      registerKind: found?.register.kind ?? null,
      registryAddress: named.address,
      onChain: state ? showState(state) : unavailable,
      offChain: record ? showRecord(record) : null,
    }
    return state ? { data, block: reader.block() } : { data }
  }
}

export type ReadStatus = ReturnType<typeof createReadStatus>
