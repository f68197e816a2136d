import { lendingOperations } from '@tallystick/wire'
import { requireAddressField } from '../../platform/chain/address.ts'
import { candidate } from '../../writes/index.ts'
import { assetOf } from '../core/index.rules.ts'
import { at, optionalAddress, ownerBlock, provenMarketWrite, requirePositive } from '../core/index.ts'
import { readFund } from './fund-state.reads.ts'

const call = at('fund', 'emergencyWithdraw', 'FundsWithdrawn')

/** What the owner of a fund takes out of it. */
export const withdrawInsurance = provenMarketWrite(lendingOperations.withdrawInsurance, {
  shape: 'own',

  async build({ record, market, chain, body, cash, refuse, attempt }) {
    const recipient = requireAddressField('recipient', body.recipient)
    const amount = requirePositive('amount', body.amount, market.borrowDecimals)
    const { block, fund, named, owner, balance } = await readFund(chain, market)
    if (named === null) throw refuse('NO_INSURANCE_FUND')
    if (named === undefined || balance === null) throw refuse('FUND_STATE_UNAVAILABLE')
    if (!owner.ok) throw refuse('FUND_NOT_READABLE')
    if (balance < amount) throw refuse('INSUFFICIENT_BALANCE', { detail: `The fund holds ${cash(balance)}.` })
    const signer = ownerBlock('OWNER', record.wallets, owner)
    const args = { call: call.prepare(fund, { to: recipient, amount }), functionName: call.functionName }
    const built = await attempt(args, signer.requiredSigner)
    const description = `Withdraws ${cash(amount)} ${market.borrowSymbol} from the insurance fund to ${recipient}.`
    return {
      block,
      signer: signer.requiredSigner,
      args,
      built,
      answer: {
        calldata: { ...built.transaction, description },
        ...signer,
        fundOwner: owner.value.toLowerCase(),
        fundAddress: fund,
        currentBalance: cash(balance),
        recipient,
        amount: cash(amount),
        amountRaw: amount.toString(),
        asset: assetOf(market),
      },
    }
  },

  async evidence({ market, chain, body, refuse }) {
    const to = optionalAddress('recipient', body.recipient) ?? undefined
    const amount = body.amount === undefined ? undefined : requirePositive('amount', body.amount, market.borrowDecimals)
    const { fund, named } = await readFund(chain, market)
    if (named === null) throw refuse('NO_INSURANCE_FUND')
    if (named === undefined) throw refuse('CHAIN_UNAVAILABLE')
    return { target: fund, kind: call.kind, candidates: [candidate(call, { to, amount })] }
  },

  proven: ({ target, effect, transaction }, { market, cash }) => ({
    signedBy: transaction.from,
    fundAddress: target,
    recipient: effect.to,
    amount: cash(effect.amount),
    amountRaw: effect.amount.toString(),
    asset: assetOf(market),
    at: new Date(transaction.block.time * 1000).toISOString(),
  }),
})
