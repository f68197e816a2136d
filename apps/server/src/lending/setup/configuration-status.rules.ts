import { zeroAddress } from 'viem'
import { type SetupTask, type SetupView, setupTasks } from './setup-tasks.rules.ts'
import { admissionOf } from './token-admission.rules.ts'

const vias = {
  adapter_must_be_verified_holder: 'identity_registry',
  adapter_must_be_authorized_contract: 'token_authorized_contract',
  none_required: 'unrestricted_token',
  holder_status_unreadable: null,
  unknown: null,
} as const

const pendingMessage =
  'Nobody has adopted the market yet, so nobody holds its roles. Authorizations on the token can be given meanwhile.'

/** Whether the adapter may do with the collateral what the mode of the market wants. */
function collateralAuthStatus({ market, token }: SetupView) {
  const { mode } = market
  if (mode === 'FREEZE')
    return {
      mode,
      adapterAuthorized: token.canFreeze ? token.adapterIsAgent : false,
      requirement: token.canFreeze
        ? ('adapter_must_hold_agent_role' as const)
        : ('token_not_freeze_compatible' as const),
      interfaceSupported: token.canFreeze,
      identityRegistry: token.registry,
      note: token.canFreeze ? null : 'The token cannot freeze part of a balance, so loans cannot be opened.',
    }
  const { admitted, requirement } = admissionOf(token, token.adapter)
  return {
    mode,
    adapterAuthorized: admitted,
    requirement,
    authorizedVia: admitted ? vias[requirement] : null,
    identityRegistry: token.registry,
    note:
      requirement === 'none_required'
        ? 'The token asks no register and keeps no list that can be seen; a transfer may still be refused for other reasons.'
        : null,
  }
}

/** What is left of the work, for this instance. */
export function openTasks(view: SetupView): SetupTask[] {
  return setupTasks(view).filter(({ done }) => !done)
}

export function configurationStatus<C>(view: SetupView, callOf: (task: SetupTask) => C | null) {
  const { market, state, token, relayer } = view
  const collateral = collateralAuthStatus(view)
  const routerHolder = admissionOf(token, token.router).admitted
  const venue = token.venue && admissionOf(token, token.venue)
  const open = openTasks(view)
  const waiting = (task: SetupTask) => task.waitsForCurator && !state.isAdopted
  const calls = open.flatMap((task) => {
    const call = waiting(task) ? null : callOf(task)
    return call ? [[task.action, call] as const] : []
  })
  const refusals = open.flatMap(({ action, refusal }) => (refusal ? [[action, refusal] as const] : []))
  const isUnread = [collateral.adapterAuthorized, routerHolder, venue ? venue.admitted : true].includes(null)
  const isPending = !state.isAdopted
  return {
    fullyConfigured:
      !isPending &&
      collateral.adapterAuthorized === true &&
      routerHolder === true &&
      state.routerAcceptsMarket &&
      state.relayerSigns &&
      view.relayerLiquidates,
    collateralAuthStatus: collateral,
    routerHolderAuthorized: routerHolder,
    oracleSignerAuthorized: state.relayerSigns,
    liquidatorRoleGranted: view.relayerLiquidates,
    pendingCurator: isPending,
    liquidationContract: market.router,
    insuranceFund: state.fund,
    adapter: market.adapter,
    // The deployment wires them, and no call can take them away.
    liquidationConfigured: true,
    insuranceFundConfigured: state.fund !== zeroAddress,
    adapterConfigured: true,
    routerAuthorized: state.routerAcceptsMarket,
    ...(isUnread ? { readFailed: true as const } : {}),
    auctionVenue: state.venue,
    auctionVenueAdmitted: venue?.admitted ?? null,
    auctionVenueAdmissionRequirement: venue?.requirement ?? null,
    relayerAddress: relayer,
    pendingCuratorMessage: isPending ? pendingMessage : null,
    liquidationRouterAddress: market.router,
    waitingForCurator: open.filter(waiting).map(({ action }) => action),
    configurationCalldata: Object.fromEntries(calls),
    blockedSteps: Object.fromEntries(refusals),
  }
}
