import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { Along, ConfirmedEffect } from '../../writes/index.ts'
import type { Market, SignerBlock } from '../core/index.rules.ts'
import { offeringOf, offeringReads } from './offering.reads.ts'

type Offering = NonNullable<ReturnType<typeof offeringOf>>

/** Who the call is simulated from: a wallet of the instance if one may sign, else whoever has to. */
export const senderOf = ({ signerAddress, requiredSigner }: SignerBlock) => signerAddress ?? requiredSigner

async function offeringNow(chain: Chain, market: Market): Promise<Along<Offering>> {
  const { block, results } = await chain.read(offeringReads(market))
  const seen = offeringOf(results)
  if (!seen) throw new ChainUnavailableError('the offering of the market could not be read')
  return { seen, block }
}

/** How every setting is confirmed: its event proves it, and the answer tells what the lender offers from now on. */
export const confirmedSetting = (functionName: string) => ({
  expect: () => ({}),
  along: (_proof: unknown, { chain, market }: { readonly chain: Chain; readonly market: Market }) =>
    offeringNow(chain, market),
  proven: ({ transaction }: ConfirmedEffect<object>, _request: unknown, offering: Offering) => ({
    functionName,
    signedBy: transaction.from,
    blockNumber: transaction.block.number.toString(),
    offering,
  }),
})
