import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** Who prices loans and how, and what of the market stands in the way of another price. */
export const rateModelReads = ({ address, factory, rateModel }: Market) =>
  [
    contractRead(rateModel, abis.rateModel, 'offer', []),
    contractRead(rateModel, abis.rateModel, 'maxFixedRateBps', []),
    contractRead(rateModel, abis.rateModel, 'owner', []),
    contractRead(rateModel, abis.rateModel, 'pendingOwner', []),
    contractRead(rateModel, abis.rateModel, 'curve', []),
    contractRead(address, abis.market, 'termConfig', []),
    contractRead(address, abis.market, 'operatorFeeRecipient', []),
    contractRead(factory, abis.factory, 'creatorRateCeiling', []),
  ] as const
