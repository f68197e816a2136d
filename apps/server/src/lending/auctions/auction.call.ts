import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

interface ExpectedAuction {
  readonly auctionId: bigint
}

export const bidCall = contractCall<
  { readonly auctionId: bigint; readonly amount: bigint; readonly maxCost: bigint },
  ExpectedAuction
>({
  kind: 'venue',
  abi: abis.venue,
  functionName: 'bidOnAuction',
  eventName: 'AuctionBid',
  args: ({ auctionId, amount, maxCost }) => [auctionId, amount, maxCost],
  isCallFor: ([id], { auctionId }) => id === auctionId,
  isFor: (effect, { auctionId }) => effect.auctionId === auctionId.toString(),
})

export const settleExpiredCall = contractCall<ExpectedAuction, ExpectedAuction>({
  kind: 'venue',
  abi: abis.venue,
  functionName: 'settleExpiredAuction',
  eventName: 'AuctionExpired',
  args: ({ auctionId }) => [auctionId],
  isCallFor: ([id], { auctionId }) => id === auctionId,
  isFor: (effect, { auctionId }) => effect.auctionId === auctionId.toString(),
})
