import { Ajv } from 'ajv'
import { type AbiFunction, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { signedContracts } from './contracts/index.ts'
import { fragmentOf } from './contracts/sentence.ts'
import { boundDescriptor, type Descriptor, descriptorOf } from './descriptor.ts'
import { descriptorSchema } from './schema.ts'

const isValid = new Ajv({ strict: false, validateFormats: false }).compile(descriptorSchema)
const descriptors = signedContracts.map((contract) => ({ contract, descriptor: descriptorOf(contract) }))
const functionsOf = ({ abi }: (typeof signedContracts)[number]) =>
  abi.filter((item): item is AbiFunction => item.type === 'function')
const recorded = { chainId: 31_337, name: 'LendingFactory', address: `0x${'a'.repeat(40)}` }

describe('a descriptor', () => {
  it.each(descriptors)('is valid by the schema: $contract.name', ({ contract, descriptor }) => {
    for (const one of [descriptor, boundDescriptor(contract, [recorded])])
      expect(isValid(one), JSON.stringify(isValid.errors)).toBe(true)
  })

  it.each(descriptors)(
    'names functions that the contract has, each once: $contract.name',
    ({ contract, descriptor }) => {
      const known = new Map(functionsOf(contract).map((item) => [fragmentOf(item), toFunctionSelector(item)]))
      const fragments = Object.keys(descriptor.display.formats)
      expect(fragments.filter((fragment) => !known.has(fragment))).toEqual([])
      expect(new Set(fragments.map((fragment) => known.get(fragment))).size).toBe(fragments.length)
    },
  )

  it.each(descriptors)('has a sentence for no function that is gone: $contract.name', ({ contract }) => {
    const names = functionsOf(contract).map(({ name }) => name)
    expect(Object.keys(contract.sentences).filter((name) => !names.includes(name))).toEqual([])
  })

  it.each(descriptors)('shows every argument, and says only what it shows: $contract.name', ({ descriptor }) => {
    for (const [fragment, { fields, interpolatedIntent }] of Object.entries(descriptor.display.formats)) {
      const paths = fields.map(({ path }) => path)
      // In a fragment, a name stands before a comma or a closing bracket, and names a tuple when a bracket is before it.
      const leaves = [...fragment.matchAll(/(?<![)\]]) (\w+)(?=[,)])|\w\[\] (\w+)(?=[,)])/g)]
      expect(paths, fragment).toHaveLength(leaves.length)
      for (const [, path = ''] of interpolatedIntent.matchAll(/\{([^}]+)\}/g)) expect(paths, fragment).toContain(path)
      expect(new Set(fields.map(({ label }) => label)).size, fragment).toBe(fields.length)
    }
  })

  it('is bound to what is on record, and to the factory whose event names the rest', () => {
    const market = descriptors.find(({ contract }) => contract.name === 'LendingMarket')
    expect(market?.descriptor.context).toBeUndefined()
    const implementation = { ...recorded, name: 'LendingMarketImplementation', address: `0x${'b'.repeat(40)}` }
    const bound = market && boundDescriptor(market.contract, [recorded, implementation])
    expect(bound?.context).toEqual({
      $id: 'LendingMarket',
      contract: {
        deployments: [{ chainId: 31_337, address: implementation.address }],
        factory: {
          deployEvent: 'MarketDeployed(address,address,address,address,uint8,uint8)',
          deployments: [{ chainId: 31_337, address: recorded.address }],
        },
      },
    })
  })
})

describe('the schema', () => {
  const token = descriptors.find(({ contract }) => contract.name === 'Token')?.descriptor as Descriptor
  const [fragment = '', format] = Object.entries(token.display.formats)[0] ?? []
  const [first, second] = format?.fields ?? []
  const formats = (changed: object) => ({ ...token, display: { formats: changed } })

  it.each([
    ['another member', { ...token, wallet: {} }],
    ['no owner', { ...token, metadata: { contractName: 'Token' } }],
    ['no function', formats({})],
    ['a space behind a comma', formats({ [fragment.replace(',', ', ')]: format })],
    ['no intent', formats({ [fragment]: { ...format, intent: undefined } })],
    ['a field without a label', formats({ [fragment]: { ...format, fields: [{ ...first, label: undefined }] } })],
    [
      'a format that is not of the standard',
      formats({ [fragment]: { ...format, fields: [{ ...first, format: 'x' }] } }),
    ],
    ['a token amount without a token', formats({ [fragment]: { ...format, fields: [{ ...second, params: {} }] } })],
    [
      'a token amount with two tokens',
      formats({
        [fragment]: {
          ...format,
          fields: [{ ...second, params: { tokenPath: '@.to', token: '$.metadata.constants.a' } }],
        },
      }),
    ],
    ['an address that is none', { ...token, context: { contract: { deployments: [{ chainId: 1, address: '0x1' }] } } }],
  ])('refuses %s', (_, wrong) => {
    expect(isValid(JSON.parse(JSON.stringify(token)))).toBe(true)
    expect(isValid(JSON.parse(JSON.stringify(wrong)))).toBe(false)
  })
})
