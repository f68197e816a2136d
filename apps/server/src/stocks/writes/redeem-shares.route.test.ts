import { wallet } from '@tallystick/testkit'
import { type Address, keccak256, toHex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerWallet } from '../../../test/signing.ts'
import {
  createStocksWorld,
  must,
  type Party,
  STOCKS,
  type StocksWorld,
  shares,
} from '../../../test/stocks/stocks-world.ts'

const lower = (index: number) => wallet(index).address.toLowerCase() as Address
const anna = lower(3)
/** A sub-issuer with an instance of its own. */
const bank = wallet(6)

describe('redeeming shares of others', () => {
  let world: StocksWorld
  let party: Party
  let token: Address

  beforeAll(async () => {
    world = await createStocksWorld()
    party = await world.createParty(bank)
    await world.verify(anna, lower(6))
    const deployed = await world.deployStock({ allowSubIssuers: true })
    token = deployed.token
    must(await party.post(`${STOCKS}/tokenization/deploy`, { txHash: deployed.txHash }))
    await world.onToken(token, 'issue', [anna, shares(100), zeroHash])
    await world.onToken(token, 'addSubIssuer', [bank.address])
    await world.onToken(token, 'issue', [bank.address, shares(10), zeroHash], bank)
  })
  afterAll(() => world.close())

  const build = async (from: Party, body: Record<string, unknown>) =>
    must(await from.post(`${STOCKS}/tokenization/${token}/redeem`, body)).body.data
  const refused = (code: string, error: string) => ({ simulation: { success: false, revert: { code, error } } })

  it('tells a sub-issuer without an allowance that it would fail', async () => {
    expect(await build(party, { account: anna, amount: '10' })).toMatchObject({
      signerAddress: lower(6),
      ...refused('INSUFFICIENT_ALLOWANCE', 'ERC20InsufficientAllowance'),
    })
  })

  it('redeems what a holder allowed, once', async () => {
    await world.onToken(token, 'approve', [bank.address, shares(4)], wallet(3))
    const body = { account: anna, amount: '4' }
    const { body: answer } = await world.carryOut(party, `${STOCKS}/tokenization/${token}/redeem`, body)
    expect(answer.data).toMatchObject({ account: anna, amount: '4' })
    expect(await build(party, { account: anna, amount: '1' })).toMatchObject({
      simulation: { revert: { code: 'INSUFFICIENT_ALLOWANCE' } },
    })
  })

  it('redeems its own shares, and the issuer those of anybody', async () => {
    expect(await build(party, { account: lower(6), amount: '1' })).toMatchObject({ simulation: { success: true } })
    expect(await build(world.issuer, { account: anna, amount: '1' })).toMatchObject({ simulation: { success: true } })
  })

  it('has the issuer sign where an instance holds both roles', async () => {
    await registerWallet(party, wallet(7))
    expect(await build(party, { account: anna, amount: '1' })).toMatchObject({ signerAddress: lower(6) })
    await world.onToken(token, 'grantRole', [keccak256(toHex('ISSUER_ROLE')), lower(7)])
    expect(await build(party, { account: anna, amount: '1' })).toMatchObject({
      signerAddress: lower(7),
      simulation: { success: true },
    })
    await world.onToken(token, 'revokeRole', [keccak256(toHex('ISSUER_ROLE')), lower(7)])
  })

  it('knows nobody to sign once sub-issuers are switched off', async () => {
    await world.onToken(token, 'setSubIssuersAllowed', [false])
    expect(await build(party, { account: lower(6), amount: '1' })).toMatchObject({ signerAddress: null })
    await world.onToken(token, 'setSubIssuersAllowed', [true])
  })
})
