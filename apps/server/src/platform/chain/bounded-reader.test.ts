import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import {
  gasBurnerEverythingAbi,
  gasBurnerEverythingBytecode,
  hugeNameAbi,
  hugeNameBytecode,
  registryWithoutCodeAbi,
  registryWithoutCodeBytecode,
  revertingNameAbi,
  revertingNameBytecode,
} from '@tallystick/abi/testing'
import { deploy, startTestChain, type TestChain } from '@tallystick/testkit'
import { encodeFunctionData, type Hex, hexToBigInt, numberToHex, pad, toFunctionSelector, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { boundedAnswers, boundedCall, type Probe, probe } from './bounded-reader.ts'
import { type Chain, createChain } from './chain.ts'
import { createRpc } from './rpc.ts'

const NOBODY: Hex = `0x${'77'.repeat(20)}`
const name = encodeFunctionData({ abi: demoCashAbi, functionName: 'name' })
const decimals = encodeFunctionData({ abi: demoCashAbi, functionName: 'decimals' })

describe('probing contracts that may be hostile', () => {
  let node: TestChain
  let chain: Chain
  let cash: Hex

  beforeAll(async () => {
    node = await startTestChain()
    chain = createChain(31_337, createRpc([node.url], { timeoutMs: 5_000, clock: systemClock }))
    const args = ['Demo Euro', 'dEUR', 6, node.walletClient.account.address]
    cash = await deploy(node, { abi: demoCashAbi, bytecode: demoCashBytecode, args })
  })
  afterAll(async () => {
    await chain.rpc.close()
    await node.stop()
  })

  async function ask(probes: Probe[]) {
    return (await probe(chain, probes)).answers
  }

  it('tells each outcome apart, and none disturbs the next', async () => {
    const burner = await deploy(node, { abi: gasBurnerEverythingAbi, bytecode: gasBurnerEverythingBytecode })
    const reverting = await deploy(node, { abi: revertingNameAbi, bytecode: revertingNameBytecode })
    const huge = await deploy(node, { abi: hugeNameAbi, bytecode: hugeNameBytecode, args: [100_000n] })
    await node.testClient.setCode({ address: NOBODY, bytecode: '0x00' })
    const answers = await ask([
      { target: cash, data: decimals, maxReturn: 32 },
      { target: burner, data: name, maxReturn: 32 },
      { target: reverting, data: name, maxReturn: 32 },
      { target: huge, data: name, maxReturn: 64 },
      { target: NOBODY, data: name, maxReturn: 32 },
      { target: `0x${'66'.repeat(20)}`, data: name, maxReturn: 32 },
      { target: 4, data: name, maxReturn: 32 },
      { target: cash, data: decimals, maxReturn: 32 },
    ])
    expect(answers.map(({ outcome }) => outcome)).toEqual([
      'OK',
      'OUT_OF_GAS',
      'REVERTED',
      'TOO_LARGE',
      'EMPTY',
      'NO_CODE',
      'SKIPPED',
      'OK',
    ])
    expect(answers[0]?.data).toBe(toHex(6, { size: 32 }))
    expect(answers[2]?.data).toBe(toFunctionSelector('NameRefused()'))
    expect(answers[3]?.data).toBe(`${toHex(32, { size: 32 })}${toHex(100_000, { size: 32 }).slice(2)}`)
    expect(answers[5]?.codeSize).toBe(0n)
  })

  it('asks the address that an earlier answer named', async () => {
    const args = [cash]
    const token = await deploy(node, { abi: registryWithoutCodeAbi, bytecode: registryWithoutCodeBytecode, args })
    const registry = encodeFunctionData({ abi: registryWithoutCodeAbi, functionName: 'identityRegistry' })
    const [named, answer] = await ask([
      { target: token, data: registry, maxReturn: 32 },
      { target: 0, data: decimals, maxReturn: 32 },
    ])
    expect(named?.data).toBe(pad(cash, { size: 32 }).toLowerCase())
    expect(answer).toMatchObject({ outcome: 'OK', target: cash })
    expect(hexToBigInt(answer?.data ?? '0x')).toBe(6n)
  })

  it('reads at the newest block', async () => {
    const { block } = await probe(chain, [{ target: cash, data: name, maxReturn: 1_024 }])
    const newest = await node.publicClient.getBlock()
    expect(block).toMatchObject({ number: newest.number, hash: newest.hash, time: Number(newest.timestamp) })
  })

  it('is unavailable, rather than wrong about the contract, when the node gives too little gas', async () => {
    // JUMPDEST PUSH0 JUMP: burns the whole limit of every probe.
    await node.testClient.setCode({ address: NOBODY, bytecode: '0x5b5f56' })
    const probes = Array.from({ length: 8 }, (): Probe => ({ target: NOBODY, data: name, maxReturn: 32 }))
    const { gas, data } = boundedCall(probes)
    // As a node cuts it down that caps the gas of a call.
    const capped = { data, gas: numberToHex(hexToBigInt(gas) / 2n) }
    await expect(chain.callAtOneBlock(capped, boundedAnswers)).rejects.toThrow('too little gas')
    const { answers } = await probe(chain, probes)
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['OUT_OF_GAS']))
  })
})
