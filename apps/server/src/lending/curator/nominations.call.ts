import type { Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

interface Nomination {
  readonly market: Address
  readonly candidate: Address
}

/** A candidate that is not named is not checked. */
interface ExpectedNomination {
  readonly market: Address
  readonly candidate: Address | undefined
}

const nominationCall = (functionName: string, eventName: string) =>
  contractCall<Nomination, ExpectedNomination>({
    kind: 'factory',
    abi: abis.factory,
    functionName,
    eventName,
    args: ({ market, candidate }) => [market, candidate],
    isFor: (effect, { market, candidate }) =>
      effect.market === market && (candidate === undefined || effect.candidate === candidate),
  })

export const nominateCuratorCall = nominationCall('nominateCurator', 'CuratorNominated')
export const withdrawNominationCall = nominationCall('withdrawNomination', 'NominationWithdrawn')
