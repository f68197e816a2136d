import { wallet } from '@tallystick/testkit'
import { type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { abis } from '../contracts.ts'

interface Signed {
  price: string
  timestamp: number
  validUntil: number
  signature: Hex
}

describe('signing a price', () => {
  let world: LendingWorld
  let life: MarketLife
  let market: LiveMarket
  const signer = wallet(5)

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    market = await life.adopted({}, { terms: { priceSigner: signer.address } })
    await world.follow()
  })
  afterAll(() => world.close())

  const route = (name: string) => `${V2}/markets/${market.marketId}/${name}`
  const post = (name: string, body: unknown) => world.deployer.post(route(name), body)
  const refused = async (name: string, body: unknown) => {
    const answer = await post(name, body)
    return [answer.status, answer.body.error?.code]
  }

  /** Asks for the typed data and signs exactly what was answered. */
  async function signed(body: Record<string, unknown>, account = signer): Promise<Signed> {
    const { typedData, price, timestamp, validUntil } = must(await post('sign-price', body)).body.data
    const { EIP712Domain: _, ...types } = typedData.types
    const signature = await account.signTypedData({ ...typedData, types })
    return { price, timestamp, validUntil, signature }
  }

  it('answers typed data whose signature the oracle itself accepts', async () => {
    const { data, metadata } = must(await post('sign-price', { price: '101.5' })).body
    expect(data).toMatchObject({
      action: 'SIGN_TYPED_DATA',
      price: '101500000',
      priceUsd: '101.5',
      timestamp: metadata.chainTime,
      validUntil: metadata.chainTime + 300,
      signer: signer.address.toLowerCase(),
      display: { price: '101.5 USDX per NORD' },
      typedData: {
        domain: { name: 'SecurityPriceOracle', version: '1', chainId: 31337, verifyingContract: market.oracle },
        primaryType: 'PriceUpdate',
      },
    })
    await life.travel(5)
    const mine = await signed({ price: '101.5' })
    expect(must(await post('verify-price', mine)).body.data).toEqual({
      valid: true,
      signer: signer.address.toLowerCase(),
      error: null,
    })
    const args = [BigInt(mine.price), BigInt(mine.timestamp), BigInt(mine.validUntil), mine.signature]
    await life.call(market.oracle, abis.oracle, 'updatePriceWithSignature', args, wallet(8))
    const price = await world.node.publicClient.readContract({
      address: market.oracle,
      abi: abis.oracle,
      functionName: 'price',
    })
    expect(price).toBe(101_500_000n)
  })

  it('holds the validity between one minute and one hour', async () => {
    for (const [asked, given] of [
      [undefined, 300],
      [1, 60],
      [-5, 60],
      [61, 61],
      [100_000, 3600],
    ]) {
      const body = { price: '100', ...(asked === undefined ? {} : { validitySeconds: asked }) }
      const { timestamp, validUntil } = must(await post('sign-price', body)).body.data
      expect([asked, validUntil - timestamp]).toEqual([asked, given])
    }
    expect(await refused('sign-price', { price: '100', validitySeconds: 61.5 })).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('refuses prices that are none, and signers that the oracle does not know', async () => {
    expect(await refused('sign-price', {})).toEqual([400, 'MISSING_PRICE'])
    expect(await refused('sign-price', { price: '0' })).toEqual([400, 'MISSING_PRICE'])
    const stranger = await post('sign-price', { price: '100', signerAddress: wallet(7).address })
    expect([stranger.status, stranger.body.error]).toMatchObject([
      400,
      { code: 'SIGNER_NOT_AUTHORIZED', signerAddress: wallet(7).address.toLowerCase() },
    ])
  })

  it('is told by the oracle itself why it would not accept a signed price', async () => {
    const good = await signed({ price: '102' })
    const verdict = async (request: Partial<Signed>) =>
      must(await post('verify-price', { ...good, ...request })).body.data as Record<string, unknown>
    const other = await signed({ price: '102' }, wallet(7))
    expect(await verdict({ signature: other.signature })).toMatchObject({
      valid: false,
      signer: wallet(7).address.toLowerCase(),
    })
    const expired = await verdict({ validUntil: good.timestamp - 1 })
    expect(expired).toMatchObject({ valid: false, signer: zeroAddress })
    expect(expired.error).toContain(String(good.timestamp - 1))
    expect(await verdict({ timestamp: good.timestamp + 5000 })).toMatchObject({ valid: false, signer: zeroAddress })
    expect(await verdict({ timestamp: 1 })).toMatchObject({ valid: false, signer: zeroAddress })
    // Another price recovers somebody whom nobody knows.
    expect((await verdict({ price: '999' })).valid).toBe(false)
    expect(await verdict({ signature: `0x${'00'.repeat(65)}` })).toMatchObject({ valid: false, signer: zeroAddress })
    for (const request of [{ signature: '0x12' }, { price: '-1' }, { price: '1.5' }, { timestamp: 1.5 }, { extra: 1 }])
      expect(await refused('verify-price', { ...good, ...request })).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('records a signed price once, whoever reports it, and only one that the oracle accepts', async () => {
    const good = await signed({ price: '103' })
    const first = must(await post('price-attestation', good)).body.data
    expect(first).toMatchObject({
      alreadyRecorded: false,
      attestation: {
        price: '103000000',
        priceDecimal: '103',
        attestedAt: new Date(good.timestamp * 1000).toISOString(),
        validUntil: new Date(good.validUntil * 1000).toISOString(),
        signer: signer.address.toLowerCase(),
        source: 'API',
        pushedTxHash: null,
        pushedAt: null,
      },
    })
    const upper = { ...good, signature: `0x${good.signature.slice(2).toUpperCase()}` }
    expect(must(await post('price-attestation', upper)).body.data).toEqual({ ...first, alreadyRecorded: true })
    const keyed = { headers: { 'idempotency-key': 'attest-once-1' }, body: good }
    const once = must(await world.deployer.call('POST', route('price-attestation'), keyed))
    expect(must(await world.deployer.call('POST', route('price-attestation'), keyed)).text).toBe(once.text)

    const other = await signed({ price: '103' }, wallet(7))
    expect(await refused('price-attestation', other)).toEqual([422, 'SIGNATURE_NOT_ACCEPTED'])
    const late = { ...good, validUntil: good.timestamp }
    expect(await refused('price-attestation', late)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await refused('price-attestation', { ...good, signature: '0x' })).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('lets a sync carry the recorded price, which anybody may send, and shows that it was pushed', async () => {
    await life.travel(10)
    const good = await signed({ price: '104' })
    const { attestation } = must(await post('price-attestation', good)).body.data
    const built = must(await post('sync-oracle', { price: '104' }))
    expect(built.body.data).toMatchObject({
      functionName: 'updatePriceWithSignature',
      attestationId: attestation.id,
      signer: world.deployer.wallet.address.toLowerCase(),
      simulation: { simulated: true, success: true },
    })
    // A price without a signature is still the signer's to push.
    expect(must(await post('sync-oracle', { price: '104.1' })).body.data).toMatchObject({
      functionName: 'updatePrice',
      signer: signer.address.toLowerCase(),
    })
    const txHash = await world.sign(world.deployer.wallet, built)
    const confirmed = must(await post('sync-oracle', { price: '104', txHash })).body.data
    expect(confirmed).toMatchObject({ newPrice: '104', updater: signer.address.toLowerCase() })
    const { signed: shown } = must(await world.deployer.get(route('oracle-history'))).body.data
    expect(shown[0]).toMatchObject({ id: attestation.id, price: '104', priceWei: '104000000', pushedTxHash: txHash })
    expect(shown[1]).toMatchObject({ price: '103', pushedTxHash: null })
    // Pushed: the same price again is not carried a second time.
    expect(must(await post('sync-oracle', { price: '104' })).body.data.functionName).toBe('updatePrice')
  })

  it('carries no signed price that is too old, expired, or of another instance', async () => {
    await life.travel(10)
    const good = await signed({ price: '105', validitySeconds: 3600 })
    must(await post('price-attestation', good))
    const functionName = async (price: string) => must(await post('sync-oracle', { price })).body.data.functionName
    expect(await functionName('105')).toBe('updatePriceWithSignature')
    await life.travel(901)
    expect(await functionName('105')).toBe('updatePrice')
    const short = await signed({ price: '106', validitySeconds: 60 })
    must(await post('price-attestation', short))
    expect(await functionName('106')).toBe('updatePriceWithSignature')
    await life.travel(61)
    expect(await functionName('106')).toBe('updatePrice')
    const foreign = await signed({ price: '107' })
    must(await post('price-attestation', foreign))
    await world.superuser`update price_attestations set reported_by = ${world.outsider.instanceId} where price_raw = 107000000`
    expect(await functionName('107')).toBe('updatePrice')
  })
})
