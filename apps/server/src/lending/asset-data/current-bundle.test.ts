import type { Address } from 'viem'
import { expect, it } from 'vitest'
import type { ImportRow } from '../../tokens/index.ts'
import { currentBundle } from './current-bundle.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const choices = {
  chainId: 1,
  factory: address('1'),
  collateralToken: address('2'),
  borrowAsset: address('3'),
  collateralMode: 'CUSTODY',
  priceSource: 'NAV',
} as const
const gold = { symbol: 'XAU', fineness: '999.9', unitBasis: 'GRAM', backing: 'ALLOCATED_REDEEMABLE' }
const token = (profile: ImportRow['profile']): ImportRow => ({
  ...{ tokenAddress: address('2'), name: 'Gold', symbol: 'XAU', decimals: 8, framework: 'erc20', totalSupplyRaw: 100n },
  ...{ supplyReadAt: null, supplyBlock: null, warnings: [] },
  ...{ facts: {}, assetType: 'COMMODITY', imageURI: null, importedAt: new Date(0), importId: '', evidence: [] },
  ...{ profile, updatedAt: new Date(0) },
})

it('a bundle says nothing about the class of a commodity, which concerns order books', () => {
  const described = { issuerName: 'Mint' }
  const sealed = currentBundle(token(described), choices)
  expect(sealed).toHaveProperty('contentHash')
  expect(currentBundle(token({ ...described, commodity: gold }), choices)).toEqual(sealed)
  expect(currentBundle(token({ commodity: gold }), choices)).toMatchObject({ code: 'TOKEN_PROFILE_REQUIRED' })
})
