import { getAddress } from 'viem'
import { requireAddress } from '../../platform/chain/address.ts'
import { type FindRegister, type IdentityCall, latestReader } from '../register/index.ts'

/** The active claims of a wallet. */
export function createListClaims(registers: FindRegister) {
  return async (call: IdentityCall, walletText: string, registryAddress: string | undefined) => {
    const wallet = requireAddress(walletText)
    const { register, chain } = await registers.find(call, registryAddress)
    const reader = latestReader(chain)
    const claims = await register.claims(reader, wallet)
    const data = {
      walletAddress: getAddress(wallet),
      registerKind: register.kind,
      registryAddress: register.address,
      claims: claims.flatMap(({ slot, isActive, dataHash, issuer, issuedAt, expiry }) =>
        isActive
          ? [
              {
                claimType: slot.index,
                claimTypeLabel: slot.name,
                dataHash,
                issuer,
                issuedAt,
                expiry,
                active: true as const,
              },
            ]
          : [],
      ),
    }
    return { data, block: reader.block() }
  }
}

export type ListClaims = ReturnType<typeof createListClaims>
