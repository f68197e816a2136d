import { type ConfigureAction, configureActions } from '@tallystick/wire'
import type { AppCode } from '../../platform/app-error.ts'
import type { SetupTask, SetupView } from './setup-tasks.rules.ts'

/** Steps that go by another name here; either is understood. */
const stepNames: Readonly<Record<string, ConfigureAction>> = {
  grantAdapterAgentRole: 'grantAgentRoleToAdapter',
  verifyRouterOnRegistry: 'verifyRouterAsHolder',
  authorizeOracleSigner: 'authorizeRelayerOnOracle',
}

export function actionNamed(name: string): ConfigureAction | null {
  return configureActions.find((action) => action === name) ?? stepNames[name] ?? null
}

/** A task goes by its own name, and by that of the step it does. */
export const isTaskOf = (action: ConfigureAction) => (task: Pick<SetupTask, 'action' | 'step'>) =>
  task.action === action || (task.step !== null && actionNamed(task.step) === action)

/** Why a market has no such task. */
export function whyNoTask({ market, state }: SetupView, action: ConfigureAction): { code: AppCode; detail?: string } {
  if (market.mode === 'FREEZE' && (action === 'verifyAdapterAsHolder' || action === 'authorizeAdapterOnToken'))
    return { code: 'NOT_CUSTODY_MODE' }
  if (action === 'grantAgentRoleToAdapter')
    return { code: 'ACTION_NOT_APPLICABLE', detail: 'The adapter of a CUSTODY market needs no agent role.' }
  if (!state.venue && (action === 'verifyVenueAsHolder' || action === 'authorizeVenueOnToken'))
    return { code: 'AUCTION_MODULE_NOT_SET' }
  return { code: 'ACTION_NOT_APPLICABLE' }
}

const alreadyNames = {
  verify: 'alreadyVerified',
  authorize: 'alreadyAuthorized',
  grantAgent: 'alreadyAuthorized',
  grantLiquidator: 'alreadyGranted',
  set: 'alreadyConfigured',
} as const

/** The flag that says that nothing is left to do. */
export function alreadyDone({ action }: Pick<SetupTask, 'action'>) {
  const found = Object.entries(alreadyNames).find(([start]) => action.startsWith(start))
  return { [found?.[1] ?? 'alreadyConfigured']: true } as { alreadyConfigured?: true }
}
