import { lendingMarketAbi, stockTokenAbi, tradingVaultAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, erc20Abi, getAddress, maxUint256, parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { disagreements } from './agreement.ts'
import { signedContracts } from './contracts/index.ts'
import { descriptorOf } from './descriptor.ts'
import { render } from './render.ts'

const cash: Address = `0x${'c'.repeat(40)}`
const share: Address = `0x${'5'.repeat(40)}`
const market: Address = `0x${'a'.repeat(40)}`
const other: Address = `0x${'b'.repeat(40)}`
const facts: Record<string, { symbol: string; decimals: number }> = {
  [cash]: { symbol: 'EURX', decimals: 6 },
  [share]: { symbol: 'NWP', decimals: 2 },
}
const tokenOf = (address: Address) => facts[address]

function descriptor(name: string, constants?: Record<string, string>) {
  const contract = signedContracts.find((one) => one.name === name)
  if (!contract) throw new Error(`there is no ${name}`)
  const made = descriptorOf(contract)
  return constants ? { ...made, metadata: { ...made.metadata, constants } } : made
}
const ofMarket = descriptor('LendingMarket', { borrowAsset: cash, collateralToken: share })
const unsigned = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' } as const
const openLoan = encodeFunctionData({
  abi: lendingMarketAbi,
  functionName: 'openLoan',
  args: [parseUnits('12.5', 2), parseUnits('1000', 6), unsigned],
})

describe('render', () => {
  it('says what a call does, with amounts in the decimals of their tokens', () => {
    const rendered = render(ofMarket, { to: market, data: openLoan }, tokenOf)
    expect(rendered).toMatchObject({
      contractName: 'LendingMarket',
      functionName: 'openLoan',
      intent: 'Open a loan',
      sentence: 'Pledges 12.5 NWP and borrows 1000 EURX.',
    })
    expect(rendered?.fields.map(({ label, text }) => [label, text]).slice(0, 2)).toEqual([
      ['Collateral', '12.5 NWP'],
      ['Amount', '1000 EURX'],
    ])
  })

  it('tells the forms of an overloaded function apart', () => {
    const args = [1250n, 1_000_000_000n, other, unsigned] as const
    const data = encodeFunctionData({ abi: lendingMarketAbi, functionName: 'openLoan', args })
    expect(render(ofMarket, { to: market, data }, tokenOf)?.sentence).toBe(
      `Pledges 12.5 NWP and borrows 1000 EURX, which is paid to ${getAddress(other)}.`,
    )
  })

  it('names the token of the contract that is called, or of the argument', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [market, 2_500_000n] })
    expect(render(descriptor('Token'), { to: cash, data }, tokenOf)?.sentence).toBe(
      `Lets ${getAddress(market)} take up to 2.5 EURX from the signer.`,
    )
    const deposit = encodeFunctionData({ abi: tradingVaultAbi, functionName: 'deposit', args: [share, 700n] })
    expect(render(descriptor('TradingVault'), { to: market, data: deposit }, tokenOf)?.sentence).toBe(
      'Brings 7 NWP into the vault.',
    )
  })

  it('says when an allowance has no end, and when it does not know a token', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [market, maxUint256] })
    expect(render(descriptor('Token'), { to: cash, data }, tokenOf)?.sentence).toContain('up to Unlimited EURX')
    expect(render(descriptor('LendingMarket'), { to: market, data: openLoan }, tokenOf)?.sentence).toContain(
      'borrows 1000000000 smallest units of an unknown token',
    )
  })

  it('shows every element of an array, words for numbers, and moments', () => {
    const issue = encodeFunctionData({
      abi: stockTokenAbi,
      functionName: 'batchIssue',
      args: [[market, other], [100n, 250n], `0x${'0'.repeat(64)}`],
    })
    expect(render(descriptor('StockToken'), { to: share, data: issue }, tokenOf)?.fields).toMatchObject([
      { label: 'Recipients', text: `${getAddress(market)}, ${getAddress(other)}` },
      { label: 'Amounts', text: '1 NWP, 2.5 NWP' },
      { label: 'Reason' },
    ])
    const until = (seconds: bigint) =>
      encodeFunctionData({ abi: stockTokenAbi, functionName: 'setLockup', args: [other, seconds] })
    const lockup = (seconds: bigint) => render(descriptor('StockToken'), { to: share, data: until(seconds) })?.fields[1]
    expect(lockup(1_709_191_632n)?.text).toBe('2024-02-29T07:27:12.000Z')
    expect(lockup(2n ** 64n - 1n)?.text).toBe('18446744073709551615')
    const proposal = encodeFunctionData({
      abi: lendingMarketAbi,
      functionName: 'proposeExtension',
      args: [0, 4n, 1_900_000_000n],
    })
    expect(render(ofMarket, { to: market, data: proposal })?.sentence).toBe(
      'Proposes the maturity 1900000000 for loan 4.',
    )
  })

  it('says nothing of a function that it does not know', () => {
    expect(render(ofMarket, { to: market, data: '0xdeadbeef' }, tokenOf)).toBeUndefined()
  })
})

describe('a description', () => {
  const call = { to: market, data: openLoan, from: other }
  const rendered = render(ofMarket, call, tokenOf)
  const faults = (description: string) => (rendered ? disagreements(description, call, rendered) : [])

  it.each([
    'Pledges 12.5 NWP and borrows 1000 EURX.',
    `Pledges 12.5 NWP at ${market}. Signed by ${other}. Within 14 days.`,
    'Opens a loan.',
  ])('agrees with the call: %s', (description) => {
    expect(faults(description)).toEqual([])
  })

  it.each([
    ['Pledges 12.5 NWP and borrows 100 EURX.', { about: 'amount', said: '100' }],
    [`Borrows 1000 EURX for ${cash}.`, { about: 'address', said: cash }],
    ['Borrows 1000 EURX on loan 7.', { about: 'figure', said: '7' }],
  ])('disagrees where it says something else: %s', (description, fault) => {
    expect(faults(description)).toEqual([fault])
  })

  it('may name the signer where nobody else does, and nobody but the signer', () => {
    const data = encodeFunctionData({ abi: lendingMarketAbi, functionName: 'claimSurplus' })
    const claim = (from?: Address) => ({ to: market, data, ...(from ? { from } : {}) })
    const found = (description: string, from?: Address) => {
      const shown = render(ofMarket, claim(from), tokenOf)
      return shown && disagreements(description, claim(from), shown)
    }
    expect(found(`Pays ${other} the surplus.`)).toEqual([])
    expect(found(`Pays ${other} the surplus.`, other)).toEqual([])
    expect(found(`Pays ${other} the surplus.`, cash)).toEqual([{ about: 'address', said: other }])
    expect(found(`Pays ${other} the surplus of ${cash}.`)).toHaveLength(2)
  })

  it('may tell what was read from the chain where the call carries no amount', () => {
    const data = encodeFunctionData({ abi: lendingMarketAbi, functionName: 'sweepOperatorFees' })
    const sweep = { to: market, data }
    const shown = render(ofMarket, sweep, tokenOf)
    expect(shown && disagreements('Pays the booked operator fees of 12.5 EURX.', sweep, shown)).toEqual([])
  })
})
