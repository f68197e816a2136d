import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { allValues, type ReadResult } from '../../platform/chain/contract-read.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { priceReads, signerRead, verifyRead } from './oracle.reads.ts'
import { ageOf, asInstant, asPrice, type SignedPrice } from './oracle.rules.ts'
import { findPriceSigner } from './oracle.store.ts'
import { unasked, verdict } from './verdict.ts'

type SignedBody = BodyOf<typeof lendingOperations.verifyPrice>

const unread = {
  configured: false,
  price: null,
  priceRaw: null,
  timestamp: null,
  lastUpdate: null,
  isStale: null,
  priceAge: null,
  maxPriceAge: null,
  maxDeviationBps: null,
  owner: null,
  ownerIsInstanceWallet: null,
  signerAuthorized: null,
  priceSignerAuthorized: null,
  readFailed: true as const,
  error: unasked.error,
}

export const asSignedPrice = ({ price, timestamp, validUntil, signature }: SignedBody): SignedPrice => ({
  price: BigInt(price),
  timestamp: BigInt(timestamp),
  validUntil: BigInt(validUntil),
  signature: signature.toLowerCase() as Hex,
})

/** What the oracle says of itself, of its signers, and of a price that somebody signed. */
export function createOracleStatus({ chains }: LendingParts) {
  async function priceSignerOf({ tenant }: MarketCall, { chainId, oracle }: Market): Promise<Address | null> {
    const [declared] = await tenant.read((sql) => findPriceSigner(sql, chainId, oracle))
    return declared?.signer ?? null
  }

  return {
    async get(call: MarketCall, marketId: string) {
      const { market, wallets } = await findDeployedMarket(call, marketId)
      const { oracle } = market
      const priceSigner = await priceSignerOf(call, market)
      const signerAddress = priceSigner && wallets.includes(priceSigner) ? priceSigner : (wallets[0] ?? null)
      const signers = [signerAddress, priceSigner].filter((one) => one !== null)
      const reading = chains
        .get(market.chainId)
        .read([...priceReads(oracle), ...signers.map((one) => signerRead(oracle, one))])
      const read = await chainOrNull(reading)
      const names = { oracleAddress: oracle, signerAddress, priceSigner }
      if (!read) return { data: { ...unread, ...names } }
      const [price, updatedAt, maxPriceAge, maxDeviationBps, owner, ...authorized] = read.results
      const values = allValues([price, updatedAt, maxPriceAge, maxDeviationBps, owner])
      if (!values) return { data: { ...unread, ...names }, block: read.block }
      const answers = authorized as readonly ReadResult<boolean>[]
      const isAuthorized = (signer: Address | null) => {
        const answer = signer === null ? undefined : answers[signers.indexOf(signer)]
        return answer?.ok ? answer.value : null
      }
      const ownerAddress = values[4].toLowerCase() as Address
      const data = {
        configured: true,
        ...names,
        price: asPrice(values[0], market),
        priceRaw: values[0].toString(),
        timestamp: Number(values[1]),
        lastUpdate: asInstant(values[1]),
        ...ageOf(values[1], values[2], read.block.time),
        maxPriceAge: Number(values[2]),
        maxDeviationBps: Number(values[3]),
        owner: ownerAddress,
        ownerIsInstanceWallet: wallets.includes(ownerAddress),
        signerAuthorized: isAuthorized(signerAddress),
        priceSignerAuthorized: isAuthorized(priceSigner),
      }
      return { data, block: read.block }
    },

    async verifySigner(call: MarketCall, marketId: string) {
      const { market, wallets } = await findDeployedMarket(call, marketId)
      const { oracle } = market
      const signerAddress = (await priceSignerOf(call, market)) ?? wallets[0] ?? null
      if (!signerAddress) return { data: { signerAddress, oracleAddress: oracle, isAuthorized: false } }
      const read = await chainOrNull(chains.get(market.chainId).read([signerRead(oracle, signerAddress)]))
      const [authorized] = read?.results ?? []
      return {
        data: { signerAddress, oracleAddress: oracle, isAuthorized: authorized?.ok ? authorized.value : null },
        ...(read ? { block: read.block } : {}),
      }
    },

    async verifyPrice(call: MarketCall, marketId: string, body: SignedBody) {
      const { market } = await findDeployedMarket(call, marketId)
      const read = await chainOrNull(chains.get(market.chainId).read([verifyRead(market.oracle, asSignedPrice(body))]))
      if (!read) return { data: unasked }
      return { data: verdict(read.results[0]), block: read.block }
    },
  }
}

export type OracleStatus = ReturnType<typeof createOracleStatus>
