import { type DataOf, type OrdinaryOperation, type ParamsOf, tradingOperations } from '@tallystick/wire'
import { type Route, route } from '../../platform/http/route.ts'
import { cancelWithdrawal, commit, deposit, depositAndCommit, requestWithdrawal, withdraw } from './vault.call.ts'
import type { Vault, VaultAction, VaultBody } from './vault.service.ts'

const actions = {
  depositToCustody: {
    pair: ({ commit: isCommitted }) => (isCommitted ? depositAndCommit : deposit),
    description: 'Brings tokens into the vault.',
    takesTokens: true,
  },
  commitInCustody: { pair: () => commit, description: 'Commits free balance, so that it can back orders.' },
  requestCustodyWithdrawal: {
    pair: () => requestWithdrawal,
    description: 'Asks committed balance back, which is free after one day.',
  },
  cancelCustodyWithdrawal: { pair: () => cancelWithdrawal, description: 'Keeps committed what was asked back.' },
  withdrawFromCustody: { pair: () => withdraw, description: 'Takes free balance out of the vault.' },
} as const satisfies Record<string, VaultAction>

/** Every call of a trader on a vault, and the endpoint that serves it. */
export function vaultRoutes(vault: Vault): Route[] {
  function serve<O extends OrdinaryOperation>(operation: O, action: VaultAction): Route {
    return route<O>(operation, async ({ tenant, caller, params, body, mountedAt }) => {
      const { custodyContract } = params as ParamsOf<typeof tradingOperations.depositToCustody>
      const request = { tenant, caller, mountedAt, custodyContract }
      const { data, ...beside } = await vault.perform(request, action, body as unknown as VaultBody)
      return { data: data as DataOf<O>, ...beside }
    })
  }
  return [
    serve(tradingOperations.depositToCustody, actions.depositToCustody),
    serve(tradingOperations.commitInCustody, actions.commitInCustody),
    serve(tradingOperations.requestCustodyWithdrawal, actions.requestCustodyWithdrawal),
    serve(tradingOperations.cancelCustodyWithdrawal, actions.cancelCustodyWithdrawal),
    serve(tradingOperations.withdrawFromCustody, actions.withdrawFromCustody),
  ]
}
