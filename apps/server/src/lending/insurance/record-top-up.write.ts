import { lendingOperations } from '@tallystick/wire'
import { requireAddressField } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { candidate } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import { marketConfirmation, requireAmount } from '../core/index.ts'
import { wasRecorded } from './recorded-top-up.ts'
import { topUpCall } from './top-up-call.ts'

/** The record of a top-up: the events of the fund count, not what was called. */
export const recordTopUp = marketConfirmation(lendingOperations.recordTopUp, {
  unrelated: 'NOT_A_TOP_UP',

  async evidence({ market, chain, body, refuse }) {
    const source = requireAddressField('fromAddress', body.fromAddress)
    const amount = requireAmount(body.amount, market.borrowDecimals, refuse)
    const { results } = await chain.read([contractRead(market.address, abis.market, 'parts', [])])
    const [parts] = results
    if (!parts.ok) throw refuse('CHAIN_UNAVAILABLE')
    // The fund that the market names now; events of another one prove nothing here.
    if (BigInt(parts.value.fund) === 0n) throw refuse('NO_INSURANCE_FUND')
    // The market fills its own fund with sweeps: that is income, not a top-up.
    if (source === market.address) throw refuse('NOT_A_TOP_UP')
    return {
      target: lowered(parts.value.fund),
      kind: topUpCall.kind,
      // Not this amount: perhaps another of the same wallet.
      candidates: [candidate(topUpCall, { source, amount }), candidate(topUpCall, { source })],
    }
  },

  async along({ effect, transaction }, { tenant, market, body, refuse }) {
    if (effect.amount !== requireAmount(body.amount, market.borrowDecimals, refuse)) throw refuse('AMOUNT_MISMATCH')
    return { seen: { duplicate: await wasRecorded(tenant, market.chainId, transaction.hash) } }
  },

  proven: ({ target, effect, transaction }, { cash }, { duplicate }) => ({
    recorded: true as const,
    duplicate,
    booked: true as const,
    fundAddress: target,
    fromAddress: effect.source,
    amount: cash(effect.amount),
    amountRaw: effect.amount.toString(),
    at: new Date(transaction.block.time * 1000).toISOString(),
    note: 'Booked by the fund: it counts in totalDeposits.',
  }),
})
