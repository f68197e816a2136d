import { type Address, zeroAddress } from 'viem'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** What the market's own contracts say about how far it is set up. */
export function setupReads(market: Market, relayer: Address | null) {
  const { address, factory, router, oracle } = market
  return {
    deployment: contractRead(factory, abis.factory, 'deployment', [address]),
    candidates: contractRead(factory, abis.factory, 'candidates', [address]),
    parts: contractRead(address, abis.market, 'parts', []),
    saleRecipient: contractRead(router, abis.router, 'saleRecipient', []),
    routerAcceptsMarket: contractRead(router, abis.router, 'isAuthorizedSource', [address]),
    pledgee: contractRead(market.adapter, abis.custodyAdapter, 'pledgee', []),
    oracleOwner: contractRead(oracle, abis.oracle, 'owner', []),
    signerCount: contractRead(oracle, abis.oracle, 'signerCount', []),
    relayerSigns: relayer ? [contractRead(oracle, abis.oracle, 'isSigner', [relayer])] : [],
  } as const
}

type SetupResults = NamedResults<ReturnType<typeof setupReads>>

const realizations = ['UNDECLARED', 'EXCHANGE_SALE', 'ISSUER_REDEMPTION', 'AUCTION'] as const
const orNull = (address: Address) => (address === zeroAddress ? null : lowered(address))
const known = <T>(result: ReadResult<T> | undefined): T | null => (result?.ok ? result.value : null)

/** All that has to be known to judge a set-up, or null when one of the market's own contracts did not answer. */
export function setupState(results: SetupResults) {
  const { parts, saleRecipient, routerAcceptsMarket, pledgee, oracleOwner, signerCount, relayerSigns } = results
  if (!parts.ok || !saleRecipient.ok || !routerAcceptsMarket.ok || !pledgee.ok) return null
  if (!oracleOwner.ok || !signerCount.ok || relayerSigns.some(({ ok }) => !ok)) return null
  const deployment = known(results.deployment)
  const candidates = known(results.candidates)
  return {
    isAdopted: parts.value.operator !== zeroAddress,
    /** Null: the factory did not answer. */
    adoption: deployment && {
      curator: orNull(deployment.curator),
      admin: orNull(deployment.admin),
      issuer: orNull(deployment.issuer),
      realizationMode: realizations[deployment.realizationMode] ?? 'UNDECLARED',
    },
    candidates: (candidates ?? []).map(lowered),
    venue: orNull(parts.value.auctionModule),
    fund: lowered(parts.value.fund),
    saleRecipient: orNull(saleRecipient.value),
    pledgee: orNull(pledgee.value),
    routerAcceptsMarket: routerAcceptsMarket.value,
    oracleOwner: lowered(oracleOwner.value),
    hasSigners: signerCount.value > 0n,
    relayerSigns: known(relayerSigns[0]) === true,
  }
}

export type SetupState = NonNullable<ReturnType<typeof setupState>>
