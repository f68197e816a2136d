import type { Address } from 'viem'
import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { DEPLOYMENT_PROXY, planStockSuite, stockKinds } from './index.ts'

const owner: Address = '0x1111111111111111111111111111111111111111'
const lawyer: Address = '0x2222222222222222222222222222222222222222'
const plan = planStockSuite({ owner })

describe('planStockSuite', () => {
  it('initialises both proxies in the transactions that create them', () => {
    for (const name of ['IdentityRegistry', 'StockFactory'])
      expect(plan.contracts[name]?.creation).toContain(owner.slice(2))
  })

  it('lets the owner sign only what nobody else can: serving', () => {
    const owned = plan.steps.filter(({ signer }) => signer === 'owner')
    expect(owned.map(({ to, serves }) => [to, serves?.kind, serves?.implementation])).toEqual(
      stockKinds.map((kind) => [plan.suite.stockFactory, kind, plan.suite[kind]]),
    )
    const others = plan.steps.filter(({ signer }) => signer === 'anyone')
    expect(new Set(others.map(({ to }) => to))).toEqual(new Set([DEPLOYMENT_PROXY]))
  })

  it('puts another registry elsewhere when another legal operator is named', () => {
    const other = planStockSuite({ owner, legalOperator: lawyer }).suite
    expect(other.identityRegistry).not.toBe(plan.suite.identityRegistry)
    expect(other.stockFactory).toBe(plan.suite.stockFactory)
  })

  it('refuses an owner that nobody is', () => {
    expect(() => planStockSuite({ owner: zeroAddress })).toThrow('A factory without an owner can never make a stock.')
  })
})
