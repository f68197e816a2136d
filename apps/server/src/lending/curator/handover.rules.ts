import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import type { HandoverMarket, HandoverResults } from './handover.reads.ts'

const ownedAbi = parseAbi(['function acceptOwnership()'])
const acceptOwnership = encodeFunctionData({ abi: ownedAbi, functionName: 'acceptOwnership' })

const satellites = [
  { name: 'oracle', part: 'oracle', key: 'acceptOracleOwnership', words: 'the price oracle' },
  { name: 'interestModel', part: 'rateModel', key: 'acceptInterestModelOwnership', words: 'the interest rate model' },
  { name: 'insuranceFund', part: 'insuranceFund', key: 'acceptInsuranceFundOwnership', words: 'the insurance fund' },
] as const

function heldBy(owner: Address | null, market: HandoverMarket) {
  if (owner === null) return null
  if (owner === market.address) return 'market' as const
  return owner === market.factory ? ('factory' as const) : ('owner' as const)
}

const read = (result: { ok: true; value: Address } | { ok: false } | undefined): Address | null =>
  result?.ok ? (result.value.toLowerCase() as Address) : null

/** Adoption hands all three over at once; what an owner starts to transfer later is pending until its nominee accepts. */
export function handoverOf(market: HandoverMarket, { owners, pendingOwners, deployed }: HandoverResults) {
  const found = satellites.map((satellite, index) => {
    const owner = read(owners[index])
    const nominee = read(pendingOwners[index])
    const pendingOwner = nominee === zeroAddress ? null : nominee
    const address = market[satellite.part]
    return {
      ...satellite,
      isRead: owner !== null && nominee !== null,
      shown: { address, owner, pendingOwner, heldBy: heldBy(owner, market), pending: pendingOwner !== null },
    }
  })
  const [oracle, interestModel, insuranceFund] = found.map(({ shown }) => shown)
  if (!oracle || !interestModel || !insuranceFund) throw new Error('a market has three satellites')
  const isRead = found.every((one) => one.isRead) && deployed.ok
  const isPending = found.some(({ shown }) => shown.pending)
  const surrendered = isRead ? found.every(({ shown }) => shown.heldBy !== 'market') : null
  const settled = surrendered ? 'COMPLETE' : 'NOT_STARTED'
  const stage = isPending ? 'PENDING' : settled
  return {
    readable: true as const,
    stage: isRead ? (stage as 'NOT_STARTED' | 'PENDING' | 'COMPLETE') : ('UNKNOWN' as const),
    complete: isRead && stage === 'COMPLETE',
    surrendered,
    oraclePending: oracle.pending,
    interestModelPending: interestModel.pending,
    insuranceFundPending: insuranceFund.pending,
    nothingPending: isRead && !isPending,
    satellites: { oracle, interestModel, insuranceFund },
    acceptOwnershipCalldata: found.flatMap(({ key, words, shown }) =>
      shown.pendingOwner === null
        ? []
        : [
            {
              key,
              to: shown.address,
              data: acceptOwnership,
              value: '0' as const,
              chainId: market.chainId,
              signer: shown.pendingOwner,
              description: `Takes ${words} over from its owner.`,
            },
          ],
    ),
  }
}
