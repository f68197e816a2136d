import { lendingMarketAbi, tradingVaultAbi } from '@tallystick/abi'
import {
  type Abi,
  type AbiParameter,
  decodeErrorResult,
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  parseAbi,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeCall, decodeRevert, selectorOf } from './selectors.ts'

/** A value of any type that contracts of ours take. */
function sample({ type, components = [] }: AbiParameter & { components?: readonly AbiParameter[] }): unknown {
  const [, element, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (element !== undefined)
    return Array.from({ length: Number(length || 2) }, () => sample({ type: element, components } as AbiParameter))
  if (type === 'tuple') return Object.fromEntries(components.map((one) => [one.name, sample(one)]))
  if (type === 'bool') return true
  if (type === 'string') return 'text'
  if (type === 'address') return '0x00000000000000000000000000000000000000AA'
  const [, size] = /^bytes(\d*)$/.exec(type) ?? []
  if (size !== undefined) return `0x${'ab'.repeat(Number(size || 3))}`
  return Number(/\d+$/.exec(type)?.[0] ?? 256) <= 48 ? 7 : 7n
}

/** Data of everything of one kind that the ABI has. */
function dataOf(abi: Abi, kind: 'function' | 'error'): Hex[] {
  return abi.flatMap((item) => {
    if (item.type !== kind) return []
    return [`${selectorOf(item)}${encodeAbiParameters(item.inputs, item.inputs.map(sample)).slice(2)}` as const]
  })
}

const overloaded = parseAbi([
  'function mint(address to)',
  'function mint(address to, uint256 amount)',
  'error Refused(address who)',
  'error Refused(address who, uint256 why)',
])

describe('what is decoded by its selector', () => {
  it.each<[string, Abi]>([
    ['a market', lendingMarketAbi],
    ['a vault', tradingVaultAbi],
    ['names that are used twice', overloaded],
  ])('is what viem makes of it: %s', (_, abi) => {
    const [calls, reverts] = [dataOf(abi, 'function'), dataOf(abi, 'error')]
    expect(calls.length).toBeGreaterThan(1)
    expect(reverts.length).toBeGreaterThan(1)
    for (const data of calls) expect(decodeCall(abi, data)).toEqual(decodeFunctionData({ abi, data }))
    for (const data of reverts) expect(decodeRevert(abi, data)).toEqual(decodeErrorResult({ abi, data }))
  })

  it('knows what every contract can revert with', () => {
    const data = `0x08c379a0${encodeAbiParameters([{ type: 'string' }], ['no']).slice(2)}` as const
    expect(decodeRevert(lendingMarketAbi, data)).toMatchObject({ errorName: 'Error', args: ['no'] })
  })

  it.each<[string, Hex]>([
    ['nothing at all', '0x'],
    ['less than a selector', '0x1234'],
    ['a selector that the ABI has not', '0xdeadbeef'],
    ['half of its arguments', dataOf(overloaded, 'function')[1]?.slice(0, 40) as Hex],
  ])('is refused where viem refuses it: %s', (_, data) => {
    expect(() => decodeCall(overloaded, data)).toThrow()
    expect(() => decodeFunctionData({ abi: overloaded, data })).toThrow()
    expect(() => decodeRevert(overloaded, data)).toThrow()
    expect(() => decodeErrorResult({ abi: overloaded, data })).toThrow()
  })

  it('takes no error for a function of the same words', () => {
    const abi = parseAbi(['function open(uint256 id)', 'error open(uint256 id)'])
    const [data = '0x'] = dataOf(abi, 'error')
    expect(decodeRevert(abi, data)).toMatchObject({ errorName: 'open', args: [7n] })
    expect(decodeCall(abi, data)).toMatchObject({ functionName: 'open', args: [7n] })
  })
})
