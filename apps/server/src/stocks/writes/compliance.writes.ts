import { type LegBodyOf, stocksOperations } from '@tallystick/wire'
import { requireUnits } from '../../platform/values/amounts.ts'
import type { Stock } from '../records/index.rules.ts'
import { asAddress, ifGiven, requireFields } from '../records/index.ts'
import { onModule } from './calls.ts'
import { signers } from './signers.reads.ts'
import { chosenStockWrite, type StockWrite, stockWrite } from './stock-write.ts'
import { expectedAddress, shares } from './write-fields.ts'

type LimitsOperation = typeof stocksOperations.setHoldingLimits
type LimitsBody = LegBodyOf<LimitsOperation, 'build'>

function limitsOf(body: LimitsBody, stock: Stock) {
  const given = requireFields(body, 'maxHolding', 'minHolding')
  const maxHolding = requireUnits('maxHolding', given.maxHolding, stock.decimals)
  const minHolding = requireUnits('minHolding', given.minHolding, stock.decimals)
  return { maxHolding, minHolding }
}

const expectedLimits = (body: LimitsBody, { decimals }: Stock) => ({
  maxHolding: ifGiven(body.maxHolding, (given) => requireUnits('maxHolding', given, decimals)),
  minHolding: ifGiven(body.minHolding, (given) => requireUnits('minHolding', given, decimals)),
})

const shownLimits = (limits: ReturnType<typeof limitsOf>, stock: Stock) => ({
  maxHolding: shares(limits.maxHolding, stock),
  minHolding: shares(limits.minHolding, stock),
})

/** One of the two writes that set limits. */
const limitsWrite = <Args extends object, Fields extends object>(write: StockWrite<LimitsOperation, Args, Fields>) =>
  write

const everybody = limitsWrite({
  call: onModule('setDefaultLimits', 'DefaultLimitsSet'),
  signer: signers.issuer,
  byModule: true,
  ask(body, stock) {
    const limits = limitsOf(body, stock)
    return { args: limits, done: { account: null, ...shownLimits(limits, stock) } }
  },
  expect: expectedLimits,
  report: ({ effect }, stock) => ({ account: null, ...shownLimits(effect, stock) }),
})

const oneHolder = (given: string) =>
  limitsWrite({
    call: onModule('setUserLimits', 'UserLimitsSet'),
    signer: signers.issuer,
    byModule: true,
    ask(body, stock) {
      const account = asAddress('account', given)
      const limits = limitsOf(body, stock)
      return { args: { account, ...limits }, done: { account, ...shownLimits(limits, stock) } }
    },
    expect: (body, stock) => ({ account: asAddress('account', given), ...expectedLimits(body, stock) }),
    report: ({ effect }, stock) => ({ account: effect.account, ...shownLimits(effect, stock) }),
  })

/** With an account the limits are that holder's, without one everybody's. */
export const setHoldingLimits = chosenStockWrite(stocksOperations.setHoldingLimits, ({ account }) =>
  account === undefined ? everybody : oneHolder(account),
)

export const setLockup = stockWrite(stocksOperations.setLockup, {
  call: onModule('setLockup', 'LockupSet'),
  signer: signers.issuer,
  byModule: true,
  ask(body) {
    const given = requireFields(body, 'account', 'until')
    const account = asAddress('account', given.account)
    return { args: { account, until: BigInt(given.until) }, done: { account, until: given.until } }
  },
  expect: (body) => ({
    account: expectedAddress('account', body.account),
    until: ifGiven(body.until, BigInt),
  }),
  report: ({ effect }) => ({ account: effect.account, until: Number(effect.until) }),
})
