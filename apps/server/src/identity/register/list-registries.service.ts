import type { RegisterKind } from '@tallystick/wire'
import type { Address } from 'viem'
import type { Chains } from '../../platform/chain/chains.ts'
import type { ContractRead, ReadResult } from '../../platform/chain/contract-read.ts'
import type { FindRegister, IdentityCall } from './find-register.ts'
import { ownRoleRead, ownRoles } from './own-register.ts'
import { recognise } from './recognise.reads.ts'
import { agentRead } from './trex-register.ts'

const MOST_REGISTRIES = 50

interface RoleQuestion {
  readonly role: string
  readonly read: ContractRead<boolean>
}

function questionsFor(kind: RegisterKind | null, registry: Address, wallet: Address): RoleQuestion[] {
  if (kind === 'TALLYSTICK')
    return (Object.keys(ownRoles) as (keyof typeof ownRoles)[]).map((role) => ({
      role,
      read: ownRoleRead(registry, role, wallet),
    }))
  return kind === 'TREX' ? [{ role: 'REGISTRY_AGENT', read: agentRead(registry, wallet) }] : []
}

/** Null when one of the answers is missing: a role that could not be read may be held. */
function heldRoles(questions: readonly RoleQuestion[], results: readonly ReadResult<boolean>[]): string[] | null {
  if (questions.length === 0 || results.some(({ ok }) => !ok)) return null
  return questions.flatMap(({ role }, index) => {
    const result = results[index]
    return result?.ok && result.value ? [role] : []
  })
}

/** The registries that an instance can use, and what it may do there. */
export function createListRegistries(chains: Chains, registers: FindRegister) {
  return async (call: IdentityCall) => {
    const { own, wallets, imports } = await registers.row(call)
    const chain = chains.get(call.instance.chainId)
    const all = [...new Set([...(own ? [own] : []), ...imports.map(({ registry }) => registry)])]
    const shown = all.slice(0, MOST_REGISTRIES)
    const others = shown.filter((address) => address !== own)
    const found = await recognise(chain, others)
    const kindOf = (address: Address) => (address === own ? 'TALLYSTICK' : (found[others.indexOf(address)] ?? null))
    const asked = shown.flatMap((registry) =>
      wallets.map((wallet) => ({ registry, wallet, questions: questionsFor(kindOf(registry), registry, wallet) })),
    )
    const { block, results } = await chain.read(asked.flatMap(({ questions }) => questions.map(({ read }) => read)))
    const left = [...results]
    const rolesOf = asked.map(({ registry, wallet, questions }) => ({
      registry,
      address: wallet,
      roles: heldRoles(questions, left.splice(0, questions.length)),
    }))
    const data = {
      ownRegistry: own,
      registries: shown.map((registryAddress) => ({
        registryAddress,
        registerKind: kindOf(registryAddress),
        isOwn: registryAddress === own,
        tokens: imports.filter(({ registry }) => registry === registryAddress).map(({ tokenAddress }) => tokenAddress),
        wallets: rolesOf
          .filter(({ registry }) => registry === registryAddress)
          .map(({ address, roles }) => ({ address, roles })),
      })),
      truncated: all.length > shown.length,
    }
    return { data, block }
  }
}

export type ListRegistries = ReturnType<typeof createListRegistries>
