import { type Address, zeroAddress } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

type Nothing = Record<string, never>

/** A setting of a router, proven by its event alone. */
const setting = <A>(functionName: string, eventName: string, args: (args: A) => readonly unknown[]) =>
  contractCall<A, Nothing>({
    kind: 'router',
    abi: abis.router,
    functionName,
    eventName,
    args,
    isFor: () => true,
  })

export const setAtomicModeCall = setting<{ isAtomic: boolean }>('setAtomicMode', 'AtomicModeSet', ({ isAtomic }) => [
  isAtomic,
])

export const setSaleBidCall = setting<{ priceFactorBps: number; validUntil: number }>(
  'setSaleBid',
  'SaleBidSet',
  ({ priceFactorBps, validUntil }) => [BigInt(priceFactorBps), BigInt(validUntil)],
)

export const announceCall = setting<{ recipient: Address }>(
  'announceSaleRecipient',
  'SaleRecipientAnnounced',
  ({ recipient }) => [recipient],
)

/** The first sale recipient comes with the adoption: that is no rotation. */
export const rotateCall = contractCall<Nothing, Nothing>({
  kind: 'router',
  abi: abis.router,
  functionName: 'rotateSaleRecipient',
  eventName: 'SaleRecipientSet',
  args: () => [],
  isFor: ({ previousRecipient }) => previousRecipient !== zeroAddress,
})
