import { stocksOperations } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { requirePositive } from '../../platform/values/amounts.ts'
import type { ConfirmedEffect } from '../../writes/index.ts'
import { encodeReason, type Stock } from '../records/index.rules.ts'
import { asAddress, ifGiven, requireFields } from '../records/index.ts'
import { onToken } from './calls.ts'
import { tokenEvents } from './receipt-events.ts'
import { signers } from './signers.reads.ts'
import { stockWrite } from './stock-write.ts'
import { expectedAddress, expectedAmount, expectedReason, shares } from './write-fields.ts'

export const issueShares = stockWrite(stocksOperations.issueShares, {
  call: onToken('issue', 'Issued'),
  signer: signers.issuerOrSubIssuer,
  ask(body, stock) {
    const given = requireFields(body, 'recipient', 'amount')
    const recipient = asAddress('recipient', given.recipient)
    const amount = requirePositive('amount', given.amount, stock.decimals)
    const reason = encodeReason(body.reason)
    return {
      args: { to: recipient, amount, reason: reason.bytes32 },
      done: { recipient, amount: shares(amount, stock) },
      reason,
    }
  },
  expect: (body, stock) => ({
    to: expectedAddress('recipient', body.recipient),
    amount: expectedAmount(body.amount, stock),
    reason: expectedReason(body.reason),
  }),
  report: ({ effect }, stock) => ({ recipient: effect.to, amount: shares(effect.amount, stock) }),
})

/** What a batch issued: the events before the one that ends it, as many as it says it processed. */
function issuedInBatch(
  { effect, logIndex, transaction }: ConfirmedEffect<{ readonly processed: bigint }>,
  { tokenAddress }: Stock,
) {
  const before = tokenEvents(tokenAddress, 'Issued', transaction.logs).filter((one) => one.logIndex < logIndex)
  const processed = Number(effect.processed)
  return processed === 0 ? [] : before.slice(-processed).map(({ effect: issued }) => issued)
}

export const batchIssueShares = stockWrite(stocksOperations.batchIssueShares, {
  call: onToken('batchIssue', 'BatchIssueCompleted'),
  signer: signers.issuerOrSubIssuer,
  // For one more entry, and for as many modules as a registry can have.
  gasInHand: 300_000n + 8n * 110_000n,
  ask(body, stock) {
    const given = requireFields(body, 'recipients', 'amounts')
    if (given.recipients.length !== given.amounts.length) throw new AppError('ARRAY_MISMATCH')
    const recipients = given.recipients.map((one, index) => asAddress(`recipients.${index}`, one))
    const amounts = given.amounts.map((one, index) => requirePositive(`amounts.${index}`, one, stock.decimals))
    const total = amounts.reduce((sum, one) => sum + one, 0n)
    const reason = encodeReason(body.reason)
    return {
      args: { recipients, amounts, reason: reason.bytes32 },
      done: { recipientCount: recipients.length, totalIssued: shares(total, stock) },
      reason,
    }
  },
  expect(body, stock) {
    body.recipients?.forEach((one, index) => {
      asAddress(`recipients.${index}`, one)
    })
    body.amounts?.forEach((one, index) => {
      requirePositive(`amounts.${index}`, one, stock.decimals)
    })
    const total = ifGiven(body.recipients ?? body.amounts, (given) => BigInt(given.length))
    return { total, reason: expectedReason(body.reason) }
  },
  report(proof, stock) {
    const issued = issuedInBatch(proof, stock)
    const total = issued.reduce((sum, { amount }) => sum + amount, 0n)
    return { recipientCount: issued.length, totalIssued: shares(total, stock) }
  },
  isWhatWasAsked(proof, { recipients, amounts }, stock) {
    const issued = issuedInBatch(proof, stock)
    return issued.every(
      ({ to, amount }, index) =>
        (recipients === undefined || recipients[index]?.toLowerCase() === to) &&
        (amounts === undefined || requirePositive('amounts', amounts[index] ?? '', stock.decimals) === amount),
    )
  },
})

export const redeemShares = stockWrite(stocksOperations.redeemShares, {
  call: onToken('redeemFrom', 'Redeemed'),
  signer: signers.issuerOrSubIssuer,
  ask(body, stock) {
    const given = requireFields(body, 'account', 'amount')
    const account = asAddress('account', given.account)
    const amount = requirePositive('amount', given.amount, stock.decimals)
    const reason = encodeReason(body.reason)
    return {
      args: { account, amount, reason: reason.bytes32 },
      done: { account, amount: shares(amount, stock) },
      reason,
    }
  },
  expect: (body, stock) => ({
    from: expectedAddress('account', body.account),
    amount: expectedAmount(body.amount, stock),
    reason: expectedReason(body.reason),
  }),
  report: ({ effect }, stock) => ({ account: effect.from, amount: shares(effect.amount, stock) }),
})
