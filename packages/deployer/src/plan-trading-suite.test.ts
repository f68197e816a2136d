import type { Address } from 'viem'
import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { DEPLOYMENT_PROXY, planTradingSuite } from './index.ts'

const admin: Address = '0x1111111111111111111111111111111111111111'
const operator: Address = '0x2222222222222222222222222222222222222222'
const feeRecipient: Address = '0x3333333333333333333333333333333333333333'
const plan = planTradingSuite({ admin, operator, feeRecipient })

describe('planTradingSuite', () => {
  it('initialises both vaults in the transactions that create them', () => {
    for (const name of ['StockTradingVault', 'CommodityTradingVault'])
      for (const who of [admin, operator, feeRecipient]) expect(plan.contracts[name]?.creation).toContain(who.slice(2))
  })

  it('keeps the vaults apart, though they are created alike', () => {
    expect(plan.suite.stockVault).not.toBe(plan.suite.commodityVault)
    expect(plan.contracts.StockTradingVault?.creation).toBe(plan.contracts.CommodityTradingVault?.creation)
  })

  it('needs nobody in particular to sign', () => {
    expect(new Set(plan.steps.map(({ signer, to }) => `${signer} ${to}`))).toEqual(
      new Set([`anyone ${DEPLOYMENT_PROXY}`]),
    )
    expect(plan.steps.map(({ name }) => name)).toEqual([
      'VaultModule',
      'TradingVaultImplementation',
      'StockTradingVault',
      'CommodityTradingVault',
      'SignedOrderSettlement',
    ])
  })

  it('has one settlement contract per chain, whoever runs the vaults', () => {
    const other = planTradingSuite({ admin: operator, operator, feeRecipient }).suite
    expect(other.signedOrderSettlement).toBe(plan.suite.signedOrderSettlement)
    expect(other.stockVault).not.toBe(plan.suite.stockVault)
  })

  it('refuses an admin or a wallet of fees that nobody is', () => {
    expect(() => planTradingSuite({ admin: zeroAddress, operator, feeRecipient })).toThrow('can never admit a token')
    expect(() => planTradingSuite({ admin, operator, feeRecipient: zeroAddress })).toThrow('need a wallet')
  })
})
