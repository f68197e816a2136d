import { Type } from 'typebox'
import { Address } from '../primitives.ts'
import { RegistryChoice } from './identity.schemas.ts'

export const identity = <const P extends string>(path: P) =>
  ({
    feature: 'identity',
    service: 'identity',
    path: `/customers/api/identity${path}` as const,
  }) as const

export const walletCodes = { walletAddress: 'INVALID_ADDRESS', registryAddress: 'INVALID_ADDRESS' } as const

export const WalletPath = Type.Object({ walletAddress: Address })

/** A read about one wallet on one registry. */
export const ofWallet = {
  query: Type.Object({ registryAddress: RegistryChoice }),
  fieldCodes: walletCodes,
} as const
