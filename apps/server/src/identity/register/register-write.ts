import type { Address } from 'viem'
import { requireAddress } from '../../platform/chain/address.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import { type Asked, writesOf } from '../../writes/index.ts'
import type { IdentityParts } from '../parts.ts'
import { explainIdentity } from '../reverts.ts'
import { createFindRegister, type FoundRegister } from './find-register.ts'

/** A wallet on the registry that the body names, or on our own. */
export interface WalletOnRegister extends FoundRegister {
  readonly wallet: Address
}

interface Named {
  readonly registryAddress?: string
  readonly walletAddress?: string
}

function findIn({ chains }: IdentityParts, { tenant, caller, body }: Asked): Promise<FoundRegister> {
  const { registryAddress } = body as Named
  return createFindRegister(chains).find({ tenant, instance: caller.instance }, registryAddress)
}

/** Which contract is called, the kind of the registry decides, so every write names its own. */
const common = { targets: {}, explain: explainIdentity } as const

/** A write on a registry. */
export const registerWrite = writesOf<TwoLegged, IdentityParts, FoundRegister>({ ...common, find: findIn }).provenBy

/** A write about one wallet on a registry. */
export const walletWrite = writesOf<TwoLegged, IdentityParts, WalletOnRegister>({
  ...common,
  async find(parts, asked) {
    const wallet = requireAddress((asked.body as Named).walletAddress ?? '')
    return { ...(await findIn(parts, asked)), wallet }
  },
}).provenBy
