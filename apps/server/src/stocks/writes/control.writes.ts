import { encodeReason } from '../reason.rules.ts'
import { asAddress, asAmount, requireFields } from '../request-fields.ts'
import { signers } from './signers.reads.ts'
import { type StockCall, stockCalls } from './stock-calls.call.ts'
import type { StockWrite } from './write.ts'
import { type Body, expectedAddress, expectedAmount, expectedReason, shares } from './write-fields.ts'

const holdWrite = (pair: StockCall): StockWrite<Body<'freezeShares'>> => ({
  pair,
  signer: signers.controller,
  ask(body, stock) {
    const given = requireFields(body, 'account', 'amount')
    const account = asAddress('account', given.account)
    const amount = asAmount('amount', given.amount, stock.decimals)
    return { args: [account, amount], done: { account, amount: shares(amount, stock) } }
  },
  expect: (body, stock) => ({
    account: expectedAddress('account', body.account),
    amount: expectedAmount(body.amount, stock),
  }),
  tell: ({ effect }, stock) => ({ account: effect.account, amount: shares(effect.amount, stock) }),
})

export const freezeWrite = holdWrite(stockCalls.freezeTokens)
export const unfreezeWrite = holdWrite(stockCalls.unfreezeTokens)

export const forceTransferWrite: StockWrite<Body<'forceTransferShares'>> = {
  pair: stockCalls.forceTransfer,
  signer: signers.controller,
  ask(body, stock) {
    const given = requireFields(body, 'from', 'to', 'amount')
    const [from, to] = [asAddress('from', given.from), asAddress('to', given.to)]
    const amount = asAmount('amount', given.amount, stock.decimals)
    const reason = encodeReason(body.reason)
    return { args: [from, to, amount, reason.bytes32], done: { from, to, amount: shares(amount, stock) }, reason }
  },
  expect: (body, stock) => ({
    from: expectedAddress('from', body.from),
    to: expectedAddress('to', body.to),
    amount: expectedAmount(body.amount, stock),
    reason: expectedReason(body.reason),
  }),
  tell: ({ effect }, stock) => ({ from: effect.from, to: effect.to, amount: shares(effect.amount, stock) }),
}

export const releaseSurplusWrite: StockWrite<Body<'releaseSurplus'>> = {
  pair: stockCalls.releaseSurplus,
  signer: signers.issuer,
  ask(body, stock) {
    const given = requireFields(body, 'agent', 'account', 'amount')
    const [agent, account] = [asAddress('agent', given.agent), asAddress('account', given.account)]
    const amount = asAmount('amount', given.amount, stock.decimals)
    return { args: [agent, account, amount], done: { agent, account, amount: shares(amount, stock) } }
  },
  expect: (body, stock) => ({
    agent: expectedAddress('agent', body.agent),
    account: expectedAddress('account', body.account),
    amount: expectedAmount(body.amount, stock),
  }),
  tell: ({ effect }, stock) => ({
    agent: effect.agent,
    account: effect.account,
    amount: shares(effect.amount, stock),
  }),
}

const pausingWrite = (pair: StockCall, paused: boolean): StockWrite<Body<'pauseStock'>> => ({
  pair,
  signer: signers.issuer,
  ask: () => ({ args: [], done: { paused } }),
  expect: () => ({}),
  tell: () => ({ paused }),
})

export const pauseWrite = pausingWrite(stockCalls.pause, true)
export const unpauseWrite = pausingWrite(stockCalls.unpause, false)
