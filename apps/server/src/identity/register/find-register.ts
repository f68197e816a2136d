import type { RegisterKind } from '@tallystick/wire'
import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { Chains } from '../../platform/chain/chains.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { ownRegister } from './own-register.ts'
import { recognise } from './recognise.reads.ts'
import type { Register } from './register.ts'
import { type RegisterRow, readRegisters } from './registers.store.ts'
import { trexRegister } from './trex-register.ts'

/** Where a request came from. */
export interface IdentityCall {
  readonly tenant: TenantDatabase
  readonly instance: Instance
}

/** The registry that a request is about, before anybody asked it anything. */
export interface NamedRegister {
  readonly chain: Chain
  readonly address: Address
  readonly isOwn: boolean
  readonly wallets: readonly Address[]
  /** Imported tokens of the instance that ask this registry. */
  readonly tokens: readonly Address[]
}

export interface FoundRegister extends NamedRegister {
  readonly register: Register
}

const kinds: Readonly<Record<RegisterKind, (address: Address) => Register>> = {
  TALLYSTICK: ownRegister,
  TREX: trexRegister,
}

export function createFindRegister(chains: Chains) {
  async function row({ tenant, instance }: IdentityCall): Promise<RegisterRow> {
    const [found] = await tenant.read((sql) => readRegisters(sql, tenant.instanceId, instance.chainId))
    if (!found) throw new Error('a look-up without a row')
    return found
  }

  /** The one that was named, or the deployment's own. */
  async function named(call: IdentityCall, registryAddress: string | undefined): Promise<NamedRegister> {
    const asked = registryAddress === undefined ? null : requireAddress(registryAddress)
    const { own, wallets, imports } = await row(call)
    const address = asked ?? own
    if (!address) throw new AppError('OWN_REGISTRY_NOT_CONFIGURED')
    const tokens = imports.filter(({ registry }) => registry === address).map(({ tokenAddress }) => tokenAddress)
    return { chain: chains.get(call.instance.chainId), address, isOwn: address === own, wallets, tokens }
  }

  /** The kind of our own is known; any other has to show it. */
  async function recognised(found: NamedRegister): Promise<FoundRegister> {
    const [kind] = found.isOwn ? (['TALLYSTICK'] as const) : await recognise(found.chain, [found.address])
    if (!kind) throw new AppError('REGISTRY_UNRECOGNISED')
    return { ...found, register: kinds[kind](found.address) }
  }

  return {
    row,
    named,
    recognised,
    find: async (call: IdentityCall, registryAddress: string | undefined): Promise<FoundRegister> =>
      recognised(await named(call, registryAddress)),
  }
}

export type FindRegister = ReturnType<typeof createFindRegister>
