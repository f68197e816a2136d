import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  DEPLOYMENT_PROXY,
  implementationKinds,
  type Plan,
  planImplementations,
  planLendingSuite,
  planStockSuite,
  planTradingSuite,
} from './index.ts'
import { libraries } from './sources.ts'

const MAX_INIT_CODE_BYTES = 49_152
const owner: Address = '0x1111111111111111111111111111111111111111'
const other: Address = '0x2222222222222222222222222222222222222222'
const platformWallet: Address = '0x3333333333333333333333333333333333333333'

const plan = planLendingSuite({ owner, platformWallet })
const addresses = ({ contracts }: Plan, names: readonly string[]) => names.map((name) => contracts[name]?.address)

describe('planLendingSuite', () => {
  it('gives the same plan for the same request, whatever the case of its addresses', () => {
    expect(planLendingSuite({ owner, platformWallet })).toEqual(plan)
    const mixed: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    expect(planLendingSuite({ owner: mixed, platformWallet: mixed })).toEqual(
      planLendingSuite({
        owner: mixed.toLowerCase() as Address,
        platformWallet: mixed.toLowerCase() as Address,
      }),
    )
  })

  it('creates every library once, and whatever code mentions before that code', () => {
    const stocks = planStockSuite({ owner })
    const trading = planTradingSuite({ admin: owner, operator: owner, feeRecipient: owner })
    const planned = [plan, stocks, trading].flatMap(({ contracts }) => Object.keys(contracts))
    expect(planned).toEqual(expect.arrayContaining(Object.keys(libraries)))
    const created = plan.steps.flatMap(({ creates }) => (creates === null ? [] : [creates]))
    expect(new Set(created).size).toBe(Object.keys(plan.contracts).length)
    for (const [position, address] of created.entries()) {
      const contract = Object.values(plan.contracts).find((one) => one.address === address)
      const mentioned = created.filter((one) => contract?.creation.includes(one.slice(2)))
      for (const one of mentioned) expect(created.indexOf(one)).toBeLessThan(position)
    }
  })

  it('fits every creation into a transaction', () => {
    for (const { creation } of Object.values(plan.contracts)) {
      expect(creation).toMatch(/^0x[0-9a-f]+$/)
      expect((creation.length - 2) / 2).toBeLessThanOrEqual(MAX_INIT_CODE_BYTES)
    }
  })

  it('leaves to the owner only what nobody else can do', () => {
    const owned = plan.steps.filter(({ signer }) => signer === 'owner')
    expect(owned.map(({ to, creates, serves }) => [to, creates, serves?.kind, serves?.implementation])).toEqual(
      implementationKinds.map((kind) => [plan.suite.factory, null, kind, plan.suite[kind]]),
    )
    for (const { to, signer } of plan.steps.slice(0, -owned.length))
      expect([to, signer]).toEqual([DEPLOYMENT_PROXY, 'anyone'])
  })

  it('shares the libraries between deployments, and nothing that belongs to an owner', () => {
    const second = planLendingSuite({ owner: other, platformWallet })
    const common = [...Object.keys(libraries), 'SatelliteDeployer', 'LendingFactoryImplementation']
    expect(addresses(second, common)).toEqual(addresses(plan, common))
    for (const part of ['factory', ...implementationKinds] as const)
      expect(second.suite[part]).not.toBe(plan.suite[part])
    const third = planLendingSuite({ owner, platformWallet: other })
    expect(third.suite).toEqual({ ...plan.suite, market: third.suite.market })
    expect(third.suite.market).not.toBe(plan.suite.market)
  })

  it('plans the same implementations for a factory that stands already, and leaves the factory alone', () => {
    const { steps, contracts, implementations } = planImplementations({ factory: plan.suite.factory, platformWallet })
    expect(plan.suite).toMatchObject(implementations)
    expect(plan.contracts).toMatchObject(contracts)
    expect(steps).toEqual(plan.steps.filter(({ name }) => name in contracts || name.startsWith('serve ')))
    expect(Object.keys(contracts)).not.toContain('LendingFactory')
  })

  it('refuses an owner or a platform wallet that nobody has', () => {
    const nobody: Address = '0x0000000000000000000000000000000000000000'
    expect(() => planLendingSuite({ owner: nobody, platformWallet })).toThrow('without an owner')
    expect(() => planLendingSuite({ owner, platformWallet: nobody })).toThrow('needs a wallet')
  })
})
