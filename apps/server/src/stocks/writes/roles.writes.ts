import { asAddress, asLimit, ifGiven, requireFields } from '../request-fields.ts'
import { signers } from './signers.reads.ts'
import { type StockCall, stockCalls } from './stock-calls.call.ts'
import type { StockWrite } from './write.ts'
import { type Body, expectedAddress, shares } from './write-fields.ts'

type AccountBody = Body<'removeSubIssuer'>

/** A call about one account, of which the event says whether it now stands or not. */
const accountWrite = (pair: StockCall, said: object, authorized?: boolean): StockWrite<AccountBody> => ({
  pair,
  signer: signers.issuer,
  ask(body) {
    const account = asAddress('account', requireFields(body, 'account').account)
    return { args: [account], done: { account, ...said } }
  },
  expect: (body) => ({ account: expectedAddress('account', body.account), authorized }),
  tell: ({ effect }) => ({ account: effect.account, ...said }),
})

export const addControllerWrite = accountWrite(
  stockCalls.addController,
  { role: 'CONTROLLER', action: 'granted' },
  true,
)
export const removeControllerWrite = accountWrite(
  stockCalls.removeController,
  { role: 'CONTROLLER', action: 'revoked' },
  false,
)
export const addSubIssuerWrite = accountWrite(stockCalls.addSubIssuer, { role: 'SUB_ISSUER', action: 'granted' }, true)
export const removeSubIssuerWrite = accountWrite(
  stockCalls.removeSubIssuer,
  { role: 'SUB_ISSUER', action: 'revoked' },
  false,
)
export const addAuthorizedContractWrite = accountWrite(stockCalls.addAuthorizedContract, { action: 'authorized' })
export const removeAuthorizedContractWrite = accountWrite(stockCalls.removeAuthorizedContract, { action: 'removed' })

export const subIssuerCapWrite: StockWrite<Body<'setSubIssuerCap'>> = {
  pair: stockCalls.setSubIssuerCap,
  signer: signers.issuer,
  ask(body, stock) {
    const given = requireFields(body, 'account', 'cap')
    const account = asAddress('account', given.account)
    const cap = asLimit('cap', given.cap, stock.decimals)
    return { args: [account, cap], done: { account, cap: shares(cap, stock) } }
  },
  expect: (body, { decimals }) => ({
    subIssuer: expectedAddress('account', body.account),
    newCap: ifGiven(body.cap, (given) => asLimit('cap', given, decimals).toString()),
  }),
  tell: ({ effect }, stock) => ({ account: effect.subIssuer, cap: shares(effect.newCap, stock) }),
}

export const allowSubIssuersWrite: StockWrite<Body<'allowSubIssuers'>> = {
  pair: stockCalls.setSubIssuersAllowed,
  signer: signers.issuer,
  ask(body) {
    const { allowed } = requireFields(body, 'allowed')
    return { args: [allowed], done: { allowed } }
  },
  expect: (body) => ({ allowed: body.allowed }),
  tell: ({ effect }) => ({ allowed: effect.allowed }),
}
