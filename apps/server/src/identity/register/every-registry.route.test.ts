import * as hostile from '@tallystick/abi/testing'
import { deploy, wallet } from '@tallystick/testkit'
import { identityOperations, type Operation } from '@tallystick/wire'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyLeg } from '../../../test/door-requests.ts'
import {
  createIdentityWorld,
  hashOf,
  type IdentityWorld,
  must,
  NO_HASH,
} from '../../../test/identity/identity-world.ts'

const everyOperation = Object.values<Operation>(identityOperations).map(
  (operation) => [operation.id, operation] as const,
)
/** These speak of wallets over all registries, from the record. */
const ofAllRegistries = new Set(['listRegistries', 'listInvestors', 'getExposure'])
const onRegistry = everyOperation.filter(([id]) => !ofAllRegistries.has(id))
/** They answer without the chain, and say so. */
const withoutChain = new Set(['getIdentityStatus', 'listProofs', 'listInvestors', 'getExposure'])

describe('every route of identity', () => {
  const investor = wallet(5).address
  let world: IdentityWorld

  beforeAll(async () => {
    world = await createIdentityWorld()
    await world.verified(investor)
  })
  afterAll(() => world.close())

  /** The answers to a request of the right form, leg by leg, about this registry. */
  async function answers(operation: Operation, registry: Address | null) {
    const found: [leg: string, status: number, code: string | undefined][] = []
    for (const [leg, request] of everyLeg(operation, { walletAddress: investor })) {
      const { registryAddress: _, ...own } = request.body ?? {}
      const hashes = 'txResults' in own ? { txResults: [{ fieldName: 'country', txHash: NO_HASH }] } : {}
      const body = { ...own, ...hashes, ...(registry ? { registryAddress: registry } : {}) }
      const query = registry && operation.method === 'GET' ? `?registryAddress=${registry}` : ''
      const given = operation.method === 'GET' ? {} : { body }
      const answer = await world.provider.call(operation.method, `${request.path}${query}`, given)
      found.push([leg, answer.status, answer.body?.error?.code])
    }
    return found
  }

  it.each(onRegistry)('%s says when the deployment has no registry of its own', async (_id, operation) => {
    await world.superuser`update deployed_contracts set name = 'Elsewhere' where name = 'IdentityRegistry'`
    const found = await answers(operation, null)
    await world.superuser`update deployed_contracts set name = 'IdentityRegistry' where name = 'Elsewhere'`
    for (const [leg, status, code] of found)
      expect([leg, status, code]).toEqual([leg, 409, 'OWN_REGISTRY_NOT_CONFIGURED'])
  })

  it.each(onRegistry)('%s refuses a registry that is none', async (_id, operation) => {
    for (const registry of [wallet(7).address, world.cash])
      for (const [leg, status, code] of await answers(operation, registry))
        expect([leg, status, code]).toEqual([leg, 400, 'REGISTRY_UNRECOGNISED'])
  })

  it('refuses contracts that would be taken for one, burn their gas or answer too much', async () => {
    const size = 100_000n
    const contracts = [
      { abi: hostile.answersEverythingAbi, bytecode: hostile.answersEverythingBytecode },
      { abi: hostile.gasBurnerEverythingAbi, bytecode: hostile.gasBurnerEverythingBytecode },
      { abi: hostile.hugeRevertAbi, bytecode: hostile.hugeRevertBytecode, args: [size] },
    ]
    for (const contract of contracts) {
      const registry = await deploy(world.node, contract)
      const answer = await world.provider.get(`/claims/${investor}?registryAddress=${registry}`)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'REGISTRY_UNRECOGNISED'])
    }
  })

  it.each(onRegistry)('%s refuses a registry whose address is none', async (_id, operation) => {
    for (const [leg, status, code] of await answers(operation, '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'))
      expect([leg, status, code]).toEqual([leg, 400, 'INVALID_ADDRESS'])
  })

  it.each(everyOperation)('%s says when the chain cannot be read', async (id, operation) => {
    for (const [leg, status, code] of await world.withoutNode(() => answers(operation, null))) {
      const expected = leg === 'confirm' ? 'CHAIN_UNAVAILABLE' : 'REGISTRY_PROBE_FAILED'
      if (withoutChain.has(id)) expect([leg, status]).toEqual([leg, 200])
      else expect([leg, status, code]).toEqual([leg, 503, expected])
    }
  })

  it('says when its own registry does not answer, as for a chain that cannot be read', async () => {
    const { testClient, publicClient } = world.node
    const code = (await publicClient.getCode({ address: world.registry })) ?? '0x'
    await testClient.setCode({ address: world.registry, bytecode: '0x5f5ffd' })
    const claims = await world.provider.get(`/claims/${investor}`)
    const status = await world.provider.get(`/status/${investor}`)
    await testClient.setCode({ address: world.registry, bytecode: code })
    expect([claims.status, claims.body.error.code]).toEqual([503, 'REGISTRY_PROBE_FAILED'])
    expect(must(status).body.data.onChain.unavailable).toBe(true)
  })

  it('tells of registries in as many round trips as there are kinds of questions', async () => {
    expect(await world.roundTrips(() => world.provider.get('/registry'))).toBe(1)
    const { data } = must(await world.walletless.get('/registry')).body
    expect(data).toMatchObject({
      ownRegistry: world.registry,
      registries: [{ registerKind: 'TALLYSTICK', wallets: [] }],
    })
  })

  it('lets another registry of our kind be named, and keeps records apart', async () => {
    const named = must(await world.provider.get(`/status/${investor}?registryAddress=${world.registry}`)).body.data
    expect(named).toMatchObject({
      registerKind: 'TALLYSTICK',
      onChain: { status: 'active', kycHash: hashOf(investor) },
    })
  })
})
