import type { Effect } from '../../platform/chain/call-pair.ts'
import { asAddress, asLimit, ifGiven, requireFields } from '../request-fields.ts'
import type { Stock } from '../stocks.store.ts'
import { signers } from './signers.reads.ts'
import { stockCalls } from './stock-calls.call.ts'
import type { StockWrite } from './write.ts'
import { type Body, expectedAddress, shares } from './write-fields.ts'

type LimitsBody = Body<'setHoldingLimits'>
type LockupBody = Body<'setLockup'>

function limitsOf(body: LimitsBody, stock: Stock) {
  const given = requireFields(body, 'maxHolding', 'minHolding')
  const max = asLimit('maxHolding', given.maxHolding, stock.decimals)
  const min = asLimit('minHolding', given.minHolding, stock.decimals)
  const done = { maxHolding: shares(max, stock), minHolding: shares(min, stock) }
  return { max, min, done }
}

const expectedLimits = (body: LimitsBody, { decimals }: Stock) => ({
  maxHolding: ifGiven(body.maxHolding, (given) => asLimit('maxHolding', given, decimals).toString()),
  minHolding: ifGiven(body.minHolding, (given) => asLimit('minHolding', given, decimals).toString()),
})

const toldLimits = ({ maxHolding, minHolding }: Effect, stock: Stock) => ({
  maxHolding: shares(maxHolding, stock),
  minHolding: shares(minHolding, stock),
})

const everybody: StockWrite<LimitsBody> = {
  pair: stockCalls.setDefaultLimits,
  signer: signers.issuer,
  byModule: true,
  ask(body, stock) {
    const { max, min, done } = limitsOf(body, stock)
    return { args: [max, min], done: { account: null, ...done } }
  },
  expect: expectedLimits,
  tell: ({ effect }, stock) => ({ account: null, ...toldLimits(effect, stock) }),
}

const oneHolder = (given: string): StockWrite<LimitsBody> => ({
  pair: stockCalls.setUserLimits,
  signer: signers.issuer,
  byModule: true,
  ask(body, stock) {
    const account = asAddress('account', given)
    const { max, min, done } = limitsOf(body, stock)
    return { args: [account, max, min], done: { account, ...done } }
  },
  expect: (body, stock) => ({ account: asAddress('account', given), ...expectedLimits(body, stock) }),
  tell: ({ effect }, stock) => ({ account: effect.account, ...toldLimits(effect, stock) }),
})

/** With an account the limits are that holder's, without one everybody's. */
export const limitsWrite = ({ account }: LimitsBody) => (account === undefined ? everybody : oneHolder(account))

export const lockupWrite: StockWrite<LockupBody> = {
  pair: stockCalls.setLockup,
  signer: signers.issuer,
  byModule: true,
  ask(body) {
    const given = requireFields(body, 'account', 'until')
    const account = asAddress('account', given.account)
    return { args: [account, BigInt(given.until)], done: { account, until: given.until } }
  },
  expect: (body) => ({
    account: expectedAddress('account', body.account),
    until: ifGiven(body.until, String),
  }),
  tell: ({ effect }) => ({ account: effect.account, until: Number(effect.until) }),
}
