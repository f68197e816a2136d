import { encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { readAnswer, readRecord } from './answer.rules.ts'

const to = `0x${'a'.repeat(40)}` as const
const safe = `0x${'b'.repeat(40)}` as const
const call = (data: Hex = '0x8456cb59') => ({ to, data, value: '0', chainId: 1 })
const read = (data: unknown) => readAnswer(JSON.stringify({ success: true, data }))
const places = (data: unknown) => read(data).calls.map(({ at }) => at)

describe('an answer', () => {
  it('holds one call, or steps with what is said about each', () => {
    expect(read({ transaction: call(), functionName: 'pause', requiredSigner: safe }).calls).toEqual([
      {
        ...{ to, data: '0x8456cb59', value: '0', chainId: 1, functionName: 'pause', description: null, signer: safe },
        at: 'data.transaction',
      },
    ])
    const steps = [call('0x11111111'), call('0x22222222')].map((transaction) => ({ transaction, description: 'x' }))
    expect(places({ steps })).toEqual(['data.steps[0].transaction', 'data.steps[1].transaction'])
    expect(places({ transaction: { to, data: '0x8456cb59' }, to, data: '0x8456cb59', value: '0', chainId: 1 })).toEqual(
      ['data.transaction'],
    )
  })

  it('shows a call once, however often it stands there, unless a list repeats it', () => {
    expect(places({ txData: call(), steps: [call(), call('0x11111111')] })).toEqual(['data.steps[0]', 'data.steps[1]'])
    expect(places({ calldata: { one: call(), two: call() } })).toEqual(['data.calldata.one'])
    expect(places({ steps: [call(), call()] })).toEqual(['data.steps[0]', 'data.steps[1]'])
    expect(places({ steps: [call()], followUps: { steps: [call()] } })).toEqual(['data.steps[0]'])
  })

  it('says what the server promised', () => {
    const promised = (simulation?: object) => read({ transaction: call(), simulation }).success
    expect(promised()).toBeNull()
    expect(promised({ simulated: false, success: false })).toBeNull()
    expect(promised({ simulated: true, success: false })).toBe(false)
    expect(promised({ simulated: true, success: true })).toBe(true)
  })
})

describe('a Safe', () => {
  const abi = parseAbi([
    'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  ])
  const exec = (operation: number) => {
    const args = [to, 7n, '0x8456cb59', operation, 0n, 0n, 0n, zeroAddress, zeroAddress, '0x'] as const
    return { to: safe, data: encodeFunctionData({ abi, args }), value: '0', chainId: 1 }
  }

  it('is looked into', () => {
    const { calls, findings } = read({ transaction: exec(0) })
    expect(calls[0]).toMatchObject({ to, data: '0x8456cb59', value: '7', signer: safe })
    expect(findings).toEqual([])
  })

  it('makes no delegate call', () => {
    expect(read({ transaction: exec(1) }).findings).toMatchObject([{ code: 'SAFE_DELEGATECALL', refuses: true }])
    for (const operation of [1, '1'])
      expect(read({ transaction: { ...call(), operation } }).findings).toMatchObject([{ at: 'data.transaction' }])
    expect(read({ transaction: { ...call(), operation: 0 } }).findings).toEqual([])
  })

  it('has a file of its own', () => {
    const transactions = [{ to, value: '0', data: '0x8456cb59' }]
    const { calls } = readAnswer(JSON.stringify({ version: '1.0', chainId: '5', transactions }))
    expect(calls).toMatchObject([{ to, chainId: 5 }])
  })
})

describe('a deployment record', () => {
  it('is a chain and its contracts by name', () => {
    const text = (value: unknown) => readRecord(JSON.stringify(value))
    expect(
      text({ chainId: 1, contracts: { LendingFactory: to.toUpperCase().replace('0X', '0x'), compliance: safe } }),
    ).toEqual({
      chainId: 1,
      contracts: [{ name: 'LendingFactory', address: to }],
    })
    for (const wrong of [
      {},
      { chainId: '1', contracts: { LendingFactory: to } },
      { chainId: 1, contracts: { unheard: to } },
      [],
      'x',
    ])
      expect(text(wrong)).toBeNull()
    expect(text({ chainId: 1, contracts: { LendingFactory: '0x1' } })).toBeNull()
    expect(readRecord('not JSON')).toBeNull()
  })
})
