import { stocksOperations } from '@tallystick/wire'
import { requireUnits } from '../../platform/values/amounts.ts'
import { asAddress, ifGiven, requireFields } from '../records/index.ts'
import { onToken } from './calls.ts'
import { signers } from './signers.reads.ts'
import { stockWrite } from './stock-write.ts'
import { expectedAddress, shares } from './write-fields.ts'

/** A call about one account, of which the event says whether it now stands or not. */
const aboutAccount = <S extends object>(said: S) => ({
  signer: signers.issuer,
  ask(body: { readonly account?: string }) {
    const account = asAddress('account', requireFields(body, 'account').account)
    return { args: { account }, done: { account, ...said } }
  },
  expect: (body: { readonly account?: string }) => ({ account: expectedAddress('account', body.account) }),
  report: ({ effect }: { readonly effect: { readonly account: string } }) => ({ account: effect.account, ...said }),
})

/** The same where one event tells of both directions. */
function aboutRole<S extends object>(said: S, authorized: boolean) {
  const about = aboutAccount(said)
  return { ...about, expect: (body: { readonly account?: string }) => ({ ...about.expect(body), authorized }) }
}

export const addController = stockWrite(stocksOperations.addController, {
  call: onToken('addController', 'ControllerUpdated'),
  ...aboutRole({ role: 'CONTROLLER', action: 'granted' } as const, true),
})
export const removeController = stockWrite(stocksOperations.removeController, {
  call: onToken('removeController', 'ControllerUpdated'),
  ...aboutRole({ role: 'CONTROLLER', action: 'revoked' } as const, false),
})
export const addSubIssuer = stockWrite(stocksOperations.addSubIssuer, {
  call: onToken('addSubIssuer', 'SubIssuerUpdated'),
  ...aboutRole({ role: 'SUB_ISSUER', action: 'granted' } as const, true),
})
export const removeSubIssuer = stockWrite(stocksOperations.removeSubIssuer, {
  call: onToken('removeSubIssuer', 'SubIssuerUpdated'),
  ...aboutRole({ role: 'SUB_ISSUER', action: 'revoked' } as const, false),
})
export const addAuthorizedContract = stockWrite(stocksOperations.addAuthorizedContract, {
  call: onToken('addAuthorizedContract', 'AuthorizedContractAdded'),
  ...aboutAccount({ action: 'authorized' } as const),
})
export const removeAuthorizedContract = stockWrite(stocksOperations.removeAuthorizedContract, {
  call: onToken('removeAuthorizedContract', 'AuthorizedContractRemoved'),
  ...aboutAccount({ action: 'removed' } as const),
})

export const setSubIssuerCap = stockWrite(stocksOperations.setSubIssuerCap, {
  call: onToken('setSubIssuerCap', 'SubIssuerCapUpdated'),
  signer: signers.issuer,
  ask(body, stock) {
    const given = requireFields(body, 'account', 'cap')
    const account = asAddress('account', given.account)
    const cap = requireUnits('cap', given.cap, stock.decimals)
    return { args: { subIssuer: account, cap }, done: { account, cap: shares(cap, stock) } }
  },
  expect: (body, { decimals }) => ({
    subIssuer: expectedAddress('account', body.account),
    newCap: ifGiven(body.cap, (given) => requireUnits('cap', given, decimals)),
  }),
  report: ({ effect }, stock) => ({ account: effect.subIssuer, cap: shares(effect.newCap, stock) }),
})

export const allowSubIssuers = stockWrite(stocksOperations.allowSubIssuers, {
  call: onToken('setSubIssuersAllowed', 'SubIssuersAllowed'),
  signer: signers.issuer,
  ask(body) {
    const { allowed } = requireFields(body, 'allowed')
    return { args: { allowed }, done: { allowed } }
  },
  expect: (body) => ({ allowed: body.allowed }),
  report: ({ effect }) => ({ allowed: effect.allowed }),
})
