import { stocksOperations } from '@tallystick/wire'
import { requirePositive } from '../../platform/values/amounts.ts'
import { encodeReason } from '../records/index.rules.ts'
import { asAddress, requireFields } from '../records/index.ts'
import { onToken } from './calls.ts'
import { signers } from './signers.reads.ts'
import { stockWrite } from './stock-write.ts'
import { expectedAddress, expectedAmount, expectedReason, shares } from './write-fields.ts'

type HoldOperation = typeof stocksOperations.freezeShares | typeof stocksOperations.unfreezeShares
type Hold = ReturnType<typeof onToken<'freezeTokens', 'TokensFrozen'>>

const holdWrite = (operation: HoldOperation, call: Hold) =>
  stockWrite(operation, {
    call,
    signer: signers.controller,
    ask(body, stock) {
      const given = requireFields(body, 'account', 'amount')
      const account = asAddress('account', given.account)
      const amount = requirePositive('amount', given.amount, stock.decimals)
      return { args: { account, amount }, done: { account, amount: shares(amount, stock) } }
    },
    expect: (body, stock) => ({
      account: expectedAddress('account', body.account),
      amount: expectedAmount(body.amount, stock),
    }),
    report: ({ effect }, stock) => ({ account: effect.account, amount: shares(effect.amount, stock) }),
  })

export const freezeShares = holdWrite(stocksOperations.freezeShares, onToken('freezeTokens', 'TokensFrozen'))
export const unfreezeShares = holdWrite(stocksOperations.unfreezeShares, onToken('unfreezeTokens', 'TokensUnfrozen'))

export const forceTransferShares = stockWrite(stocksOperations.forceTransferShares, {
  call: onToken('forceTransfer', 'ForceTransfer'),
  signer: signers.controller,
  ask(body, stock) {
    const given = requireFields(body, 'from', 'to', 'amount')
    const [from, to] = [asAddress('from', given.from), asAddress('to', given.to)]
    const amount = requirePositive('amount', given.amount, stock.decimals)
    const reason = encodeReason(body.reason)
    return {
      args: { from, to, amount, reason: reason.bytes32 },
      done: { from, to, amount: shares(amount, stock) },
      reason,
    }
  },
  expect: (body, stock) => ({
    from: expectedAddress('from', body.from),
    to: expectedAddress('to', body.to),
    amount: expectedAmount(body.amount, stock),
    reason: expectedReason(body.reason),
  }),
  report: ({ effect }, stock) => ({ from: effect.from, to: effect.to, amount: shares(effect.amount, stock) }),
})

export const releaseSurplus = stockWrite(stocksOperations.releaseSurplus, {
  call: onToken('releaseSurplus', 'SurplusReleased'),
  signer: signers.issuer,
  ask(body, stock) {
    const given = requireFields(body, 'agent', 'account', 'amount')
    const [agent, account] = [asAddress('agent', given.agent), asAddress('account', given.account)]
    const amount = requirePositive('amount', given.amount, stock.decimals)
    return { args: { agent, account, amount }, done: { agent, account, amount: shares(amount, stock) } }
  },
  expect: (body, stock) => ({
    agent: expectedAddress('agent', body.agent),
    account: expectedAddress('account', body.account),
    amount: expectedAmount(body.amount, stock),
  }),
  report: ({ effect }, stock) => ({
    agent: effect.agent,
    account: effect.account,
    amount: shares(effect.amount, stock),
  }),
})

const pausing = <P extends boolean>(paused: P) => ({
  signer: signers.issuer,
  ask: () => ({ args: {}, done: { paused } }),
  expect: () => ({}),
  report: () => ({ paused }),
})

export const pauseStock = stockWrite(stocksOperations.pauseStock, {
  call: onToken('pause', 'Paused'),
  ...pausing(true),
})
export const unpauseStock = stockWrite(stocksOperations.unpauseStock, {
  call: onToken('unpause', 'Unpaused'),
  ...pausing(false),
})
