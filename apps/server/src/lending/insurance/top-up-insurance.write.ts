import { lendingOperations } from '@tallystick/wire'
import { requireAddressField } from '../../platform/chain/address.ts'
import { approveStep, plannedCall } from '../../platform/chain/unsigned-call.ts'
import { assetOf } from '../core/index.rules.ts'
import { marketBuild, requireAmount } from '../core/index.ts'
import { readFund } from './fund-state.reads.ts'
import { topUpCall } from './top-up-call.ts'

/** What any wallet adds to the reserve of a market. */
export const topUpInsurance = marketBuild(lendingOperations.topUpInsurance, {
  confirmedBy: lendingOperations.recordTopUp,
  shape: 'flat',

  async build({ market, chain, body, cash, refuse }) {
    const fromAddress = requireAddressField('fromAddress', body.fromAddress)
    const raw = requireAmount(body.amount, market.borrowDecimals, refuse)
    const { block, fund, named, hasOpenTopUp, heldByPayer } = await readFund(chain, market, fromAddress)
    if (named === null) throw refuse('NO_INSURANCE_FUND')
    if (named === undefined || heldByPayer === null) throw refuse('FUND_STATE_UNAVAILABLE')
    if (!hasOpenTopUp) throw refuse('FUND_UPGRADE_REQUIRED')
    const amount = cash(raw)
    if (heldByPayer < raw)
      throw refuse('INSUFFICIENT_BALANCE', {
        detail: `The wallet holds ${cash(heldByPayer)} ${market.borrowSymbol}, which is less than ${amount}.`,
      })
    const approval = `Lets the fund take ${amount} ${market.borrowSymbol}.`
    return {
      block,
      signer: fromAddress,
      args: plannedCall(topUpCall, fund, { amount: raw }),
      steps: {
        before: [approveStep(market.borrowAsset, fund, raw, approval)],
        description: `Adds ${amount} to the reserve.`,
      },
      confirmWith: { amount, fromAddress },
      answer: {
        functionName: 'topUp' as const,
        fundAddress: fund,
        fromAddress,
        amount,
        amountRaw: raw.toString(),
        asset: assetOf(market),
        booked: true as const,
        note: 'Sign both from the same wallet, in this order. What is added belongs to the fund from then on.',
      },
    }
  },
})
