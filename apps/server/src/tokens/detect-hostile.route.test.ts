import { demoVaultBarAbi, demoVaultBarBytecode } from '@tallystick/abi'
import * as hostile from '@tallystick/abi/testing'
import type { Abi, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokensWorld, TOKENS, type TokensWorld } from '../../test/tokens-world.ts'

const SIZE = 100_000n
const EOA = `0x${'77'.repeat(20)}`

interface Contract {
  abi: Abi | readonly unknown[]
  bytecode: Hex
  args?: readonly unknown[]
}

describe('detecting a contract that misbehaves', () => {
  let world: TokensWorld

  beforeAll(async () => {
    world = await createTokensWorld()
  })
  afterAll(() => world.close())

  async function detectNew(contract: Contract) {
    return world.detect(await world.create(contract))
  }
  const nameOf = (data: { evidence: { call: string }[] }) => data.evidence.find(({ call }) => call === 'name()')

  it('reads the 32-byte names of early tokens as they are', async () => {
    const { body } = await detectNew({ abi: hostile.bytes32NameAbi, bytecode: hostile.bytes32NameBytecode })
    expect(body.data).toMatchObject({ framework: 'erc20', name: 'Maker of Old', symbol: 'OLD', totalSupply: '1000' })
    expect(body.data).not.toHaveProperty('degradedMetadata')
  })

  it.each<[string, Contract, string, object]>([
    [
      'a name of 100 kB',
      { abi: hostile.hugeNameAbi, bytecode: hostile.hugeNameBytecode, args: [SIZE] },
      'ODD',
      { outcome: 'TOO_LARGE' },
    ],
    [
      'a name that is no UTF-8',
      { abi: hostile.badUtf8NameAbi, bytecode: hostile.badUtf8NameBytecode },
      'ODD',
      { outcome: 'MALFORMED' },
    ],
    [
      'control characters in its name',
      { abi: hostile.controlCharsNameAbi, bytecode: hostile.controlCharsNameBytecode },
      'Evil[31mToken',
      { outcome: 'VALUE', value: 'Evil\uFFFD\uFFFD\uFFFD\uFFFD[31m\u202E\u200BToken\uFFFD' },
    ],
  ])('shows a harmless name for %s and marks it as degraded', async (_, contract, name, evidence) => {
    const { status, body } = await detectNew(contract)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ framework: 'erc20', name, symbol: 'ODD', decimals: 18, degradedMetadata: true })
    expect(nameOf(body.data)).toEqual({ call: 'name()', ...evidence })
  })

  it.each<[string, Contract, string]>([
    [
      'reverts on name()',
      { abi: hostile.revertingNameAbi, bytecode: hostile.revertingNameBytecode },
      'As an ERC-20 it fails: name() reverts.',
    ],
    [
      'burns all gas on name()',
      { abi: hostile.gasBurnerNameAbi, bytecode: hostile.gasBurnerNameBytecode },
      'As an ERC-20 it fails: name() uses up all the gas that a question is given.',
    ],
    [
      'burns all gas on any call',
      { abi: hostile.gasBurnerEverythingAbi, bytecode: hostile.gasBurnerEverythingBytecode },
      'totalSupply() uses up all the gas that a question is given.',
    ],
    [
      'reverts with 100 kB',
      { abi: hostile.hugeRevertAbi, bytecode: hostile.hugeRevertBytecode, args: [SIZE] },
      'As an ERC-20 it fails: name() reverts.',
    ],
    [
      'has no decimals',
      { abi: hostile.noDecimalsAbi, bytecode: hostile.noDecimalsBytecode },
      'As an ERC-20 it fails: decimals() reverts.',
    ],
    [
      'claims every interface',
      { abi: hostile.erc165LiarAbi, bytecode: hostile.erc165LiarBytecode },
      'As an ERC-20 it fails: name() reverts',
    ],
    [
      'is no token at all',
      { abi: hostile.notATokenAbi, bytecode: hostile.notATokenBytecode },
      'name() reverts, symbol() reverts, decimals() reverts, totalSupply() reverts.',
    ],
  ])('answers UNSUPPORTED_TOKEN for a contract that %s, and says so', async (_, contract, sentence) => {
    const token = await world.create(contract)
    const body = { tokenAddress: token, assetType: 'BOND' }
    const imported = await world.instance.call('POST', `${TOKENS}/import`, { body })
    for (const answer of [await world.detect(token), imported]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'UNSUPPORTED_TOKEN'])
      expect(answer.body.error.message).toContain('none of the five frameworks')
      expect(answer.body.error.message).toContain(sentence)
    }
  })

  it('answers UNSUPPORTED_TOKEN for a contract that answers everything, and says why', async () => {
    const { status, body } = await detectNew({
      abi: hostile.answersEverythingAbi,
      bytecode: hostile.answersEverythingBytecode,
    })
    expect([status, body.error.code]).toEqual([400, 'UNSUPPORTED_TOKEN'])
    expect(body.error.message).toContain('answers every call alike')
  })

  it('takes an ERC-3643 look-alike whose registry has no code for the ERC-20 that it is', async () => {
    const { body } = await detectNew({
      abi: hostile.registryWithoutCodeAbi,
      bytecode: hostile.registryWithoutCodeBytecode,
      args: [EOA],
    })
    expect(body.data).toMatchObject({ framework: 'erc20', name: 'Odd Security', totalSupply: '1000', details: {} })
    const registry = body.data.evidence.filter(({ call }: { call: string }) => call.startsWith('identityRegistry()'))
    expect(registry).toEqual([
      { call: 'identityRegistry()', outcome: 'VALUE', value: EOA },
      { call: 'identityRegistry().isVerified(0x0)', outcome: 'NO_CODE' },
    ])
  })

  it('answers DETECTION_FAILED rather than guess a supply or decimals', async () => {
    const code = await world.create({ abi: hostile.notATokenAbi, bytecode: hostile.notATokenBytecode })
    const supply = await detectNew({
      abi: hostile.supplyReverts3643Abi,
      bytecode: hostile.supplyReverts3643Bytecode,
      args: [code, code],
    })
    expect([supply.status, supply.body.error.code]).toEqual([400, 'DETECTION_FAILED'])
    expect(supply.body.error.message).toMatch(/erc3643.*totalSupply\(\) reverts/)
    const decimals = await detectNew({ abi: hostile.badDecimalsAbi, bytecode: hostile.badDecimalsBytecode })
    expect([decimals.status, decimals.body.error.code]).toEqual([400, 'DETECTION_FAILED'])
    expect(decimals.body.error.message).toMatch(/erc20.*decimals\(\) answers 300/)
  })

  it('imports what it detects: control characters, malformed names and halved emoji can be stored', async () => {
    const owner = world.node.walletClient.account.address
    const contracts: Contract[] = [
      { abi: hostile.controlCharsNameAbi, bytecode: hostile.controlCharsNameBytecode },
      { abi: hostile.badUtf8NameAbi, bytecode: hostile.badUtf8NameBytecode },
      { abi: hostile.hugeNameAbi, bytecode: hostile.hugeNameBytecode, args: [SIZE] },
      { abi: demoVaultBarAbi, bytecode: demoVaultBarBytecode, args: [`${'n'.repeat(511)}🚀`, owner] },
    ]
    for (const contract of contracts) {
      const token = await world.create(contract)
      const detected = await world.detect(token)
      expect((await world.import(token)).status).toBe(200)
      const { body } = await world.get(token)
      expect(body.data.evidence).toEqual(detected.body.data.evidence)
      expect(body.data.name).toBe(detected.body.data.name)
    }
  })

  it('answers the same codes on import, and writes nothing', async () => {
    const code = await world.create({ abi: hostile.notATokenAbi, bytecode: hostile.notATokenBytecode })
    const unreadable = await world.create({
      abi: hostile.supplyReverts3643Abi,
      bytecode: hostile.supplyReverts3643Bytecode,
      args: [code, code],
    })
    const before = await world.everyImport()
    for (const [tokenAddress, expected] of [
      [EOA, 'NOT_A_CONTRACT'],
      [code, 'UNSUPPORTED_TOKEN'],
      [unreadable, 'DETECTION_FAILED'],
    ]) {
      const body = { tokenAddress, assetType: 'BOND' }
      const answer = await world.instance.call('POST', `${TOKENS}/import`, { body })
      expect([answer.status, answer.body.error.code]).toEqual([400, expected])
    }
    expect(await world.everyImport()).toEqual(before)
  })
})
