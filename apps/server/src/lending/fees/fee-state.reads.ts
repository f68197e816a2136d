import { type Address, parseAbi, zeroAddress } from 'viem'
import { contractRead, type ReadResult, type ResultsOf } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'

/** Only markets of the first generation answer this. */
const offeredAbi = parseAbi(['function operatorShareBps() view returns (uint256)'])

/** What a market says about its fees: what is booked, and whom it goes to. */
export function feeStateReads(market: Address) {
  return [
    contractRead(market, abis.market, 'pool', []),
    contractRead(market, abis.market, 'parts', []),
    contractRead(market, abis.market, 'config', []),
    contractRead(market, abis.market, 'platformWallet', []),
    contractRead(market, abis.market, 'flatFees', []),
    contractRead(market, abis.market, 'vaults', []),
    contractRead(market, offeredAbi, 'operatorShareBps', []),
  ] as const
}

const answerOf = <T>(result: ReadResult<T>): T | null => (result.ok ? result.value : null)
const lower = (address: Address | undefined): Address | null =>
  address === undefined || address === zeroAddress ? null : (address.toLowerCase() as Address)

/** Null where the market did not answer. */
export function feeState(results: ResultsOf<ReturnType<typeof feeStateReads>>) {
  const [pool, parts, config, platformWallet, flatFees, vaults, offered] = results
  const named = answerOf(parts)
  const fees = answerOf(flatFees)
  return {
    pool: answerOf(pool),
    /** Null also while there is no lender of record; `isAdopted` tells. */
    operator: lower(named?.operator),
    isAdopted: named ? named.operator !== zeroAddress : null,
    /** Null also where the market has none; `hasFund` tells. */
    fund: lower(named?.fund),
    hasFund: named ? named.fund !== zeroAddress : null,
    insuranceBps: answerOf(config)?.protocolFeeBps ?? null,
    platformWallet: lower(answerOf(platformWallet) ?? undefined),
    flatFees: fees ? { open: fees[0], repay: fees[1] } : null,
    vaults: answerOf(vaults),
    /** What the operator was offered, where the shares are not fixed. */
    offeredShareBps: offered.ok ? Number(offered.value) : null,
    readFailed: [pool, parts, config, platformWallet, flatFees, vaults].some((result) => !result.ok),
  }
}

export type FeeState = ReturnType<typeof feeState>
