import { type BodyOf, configureActions, type lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { endpointAt, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { configurationStatus } from './configuration-status.rules.ts'
import { callFor } from './configure.call.ts'
import { actionNamed, alreadyDone, isTaskOf, whyNoTask } from './configure-action.rules.ts'
import { requireClaims, requireIdentity } from './identity-claims.service.ts'
import { configurationCall } from './setup.service.ts'
import { type SetupTask, type SetupView, setupTasks } from './setup-tasks.rules.ts'
import { findForSetup, type ReadSetupView } from './setup-view.service.ts'

type ConfigureBody = BodyOf<typeof lendingOperations.configureMarket>

export function requireAction(name: string) {
  const action = actionNamed(name)
  if (!action)
    throw new AppError('UNSUPPORTED_CONFIGURE_ACTION', { extra: { supportedActions: [...configureActions] } })
  return action
}

/**
 * Builds what is missing before a market works: one call, or the list of all. A checklist rather than a write of the kit: most calls go to
 * contracts that are not ours, and what proves them is how the market stands afterwards.
 */
export function createConfigure({ chains, writes }: LendingParts, read: ReadSetupView) {
  function confirmWith({ mountedAt }: MarketCall, marketId: string, action: SetupTask['action'] | null) {
    const endpoint = endpointAt(mountedAt, `/markets/${marketId}/confirm-configuration`)
    return { endpoint, field: 'txHash' as const, body: { txHash: null, action } }
  }

  function overview(view: SetupView) {
    const { configurationCalldata, blockedSteps, waitingForCurator, pendingCurator, pendingCuratorMessage } =
      configurationStatus(view, configurationCall(view.market.chainId))
    const count = Object.keys(configurationCalldata).length
    const isDone = setupTasks(view).every(({ done }) => done)
    return {
      requiresUserAction: count > 0,
      configurationCalldata,
      message: isDone ? 'Nothing is left to do.' : `${count} calls can be signed now.`,
      blockedSteps,
      waitingForCurator,
      pendingCurator,
      pendingCuratorMessage,
      ...(isDone ? { alreadyConfigured: true as const } : {}),
    }
  }

  /** With an identity of its own choice the caller can register what could not be registered without one. */
  async function requireBuildable({ market, token }: SetupView, task: SetupTask, identity: Address | undefined) {
    const { refusal } = task
    const isAboutClaims = refusal?.code === 'ONCHAINID_REQUIRED' || refusal?.code === 'IDENTITY_CLAIMS_REQUIRED'
    if (refusal && !(isAboutClaims && identity)) throw new AppError(refusal.code, { detail: refusal.message })
    if (identity && token.claimTopics) await requireClaims(chains.get(market.chainId), token.claimTopics, identity)
  }

  async function one(view: SetupView, body: ConfigureBody & { action: string }) {
    const wished = requireAction(body.action)
    const identity = body.identityAddress === undefined ? undefined : requireIdentity(body.identityAddress)
    const task = setupTasks(view).find(isTaskOf(wished))
    if (!task) {
      const { code, detail } = whyNoTask(view, wished)
      throw new AppError(code, detail === undefined ? {} : { detail })
    }
    const { action } = task
    const about = { action, subject: task.subject }
    if (task.done)
      return {
        ...about,
        requiresUserAction: false,
        configurationCalldata: {},
        message: 'Done already; nothing is left to sign.',
        ...alreadyDone(task),
      }
    if (task.waitsForCurator && !view.state.isAdopted) throw new AppError('MARKET_PENDING_CURATOR')
    await requireBuildable(view, task, identity)
    const { target, subject } = task
    if (!target || !subject) throw new Error('a task that can be done has a target and a subject')
    const { chainId } = view.market
    const intent = { chain: chains.get(chainId), pair: callFor(action, task.isRegistered), target, kind: 'configured' }
    const args = {
      subject,
      ...(identity ? { identity } : {}),
      ...(body.country === undefined ? {} : { country: body.country }),
    }
    const { transaction, simulation } = await writes.build(intent, args, task.signer, explainLending)
    const shown = configurationCall(chainId)({ ...task, refusal: null })
    return {
      ...about,
      requiresUserAction: true,
      configurationCalldata: shown ? { [action]: { ...shown, data: transaction.data } } : {},
      message: `${task.title}. Signed by ${task.requiredRole}.`,
      simulation,
    }
  }

  return async function configure(call: MarketCall, marketId: string, body: ConfigureBody) {
    const record = await findForSetup(call, marketId)
    const { block, view } = await read(record)
    const { action } = body
    const answer = action === undefined ? overview(view) : await one(view, { ...body, action })
    const calls = Object.values(answer.configurationCalldata)
    const named = 'action' in answer ? answer.action : null
    const data = { ...answer, confirmWith: confirmWith(call, marketId, named) }
    return { data, block, ...(calls.length > 0 ? { calls } : {}) }
  }
}

export type Configure = ReturnType<typeof createConfigure>
