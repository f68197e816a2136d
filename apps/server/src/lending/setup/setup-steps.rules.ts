import type { Address } from 'viem'
import { type SetupTask, type SetupView, setupTasks } from './setup-tasks.rules.ts'
import { admissionOf } from './token-admission.rules.ts'

const adoption = 'Let a nominated lender of record adopt the market'

/** The step before all others: without a lender of record nobody holds a role. */
function adoptionStep({ market, state }: SetupView) {
  const isUnread = state.adoption === null && !state.isAdopted
  return {
    key: 'adoptCurator' as const,
    title: adoption,
    done: state.isAdopted,
    requiredRole: 'NOMINATED_CANDIDATE' as const,
    target: market.factory,
    subject: market.address,
    delegated: false,
    candidates: state.candidates,
    blockedCode: isUnread ? 'FACTORY_READ_FAILED' : null,
    blockedReason: isUnread ? 'The factory did not say who is nominated.' : null,
  }
}

/** A step keeps its role, also where the list of the token takes the place of its register: then the call says who signs. */
const roleOf = ({ step, requiredRole }: SetupTask) =>
  step?.startsWith('verify') ? ('IDENTITY_REGISTRY_AGENT' as const) : requiredRole

function stepOf(task: SetupTask) {
  const { step: key, title, done, target, subject, delegated, action } = task
  const refusal = done ? null : task.refusal
  return {
    key,
    title,
    done,
    requiredRole: roleOf(task),
    target,
    subject,
    ...(action === 'grantAgentRoleToAdapter' ? { blocked: refusal !== null } : {}),
    delegated,
    blockedCode: refusal?.code ?? null,
    blockedReason: refusal?.message ?? null,
  }
}

/** Loans can be opened: there is a lender of record, and the token lets the market take and deliver collateral. */
function isOperable({ market, state, token }: SetupView): boolean {
  const takes = market.mode === 'FREEZE' ? token.adapterIsAgent : admissionOf(token, token.adapter).admitted
  return state.isAdopted && takes === true && admissionOf(token, token.router).admitted === true
}

/** The tasks that are steps of the set-up, without what the deployment did itself. */
export function stepTasks(view: SetupView): (SetupTask & { step: NonNullable<SetupTask['step']> })[] {
  return setupTasks(view).flatMap((task) => (task.step === null ? [] : [{ ...task, step: task.step }]))
}

export interface CallText {
  readonly to: Address
  readonly data: string
  readonly description: string
}

/** Who has to do what, as the interface shows it. `callOf` answers null where nothing can be built yet. */
export function setupSteps(view: SetupView, callOf: (task: SetupTask) => CallText | null) {
  const { market, state, wallets } = view
  const tasks = stepTasks(view)
  const missing = tasks.flatMap((task): [string, CallText][] => {
    const call = task.done ? null : callOf(task)
    // The router's registration has one name in both modes.
    return call ? [[task.step === 'verifyRouterOnRegistry' ? 'verifyRouterAsHolder' : task.step, call]] : []
  })
  const { adoption } = state
  return {
    complete: state.isAdopted && tasks.every(({ done, delegated }) => done || delegated),
    mode: market.mode,
    priceSource: market.priceSource,
    collateralAgent: state.pledgee,
    liquidationRouterAddress: market.router,
    relayerAddress: view.relayer,
    steps: [adoptionStep(view), ...tasks.map((task) => ({ ...stepOf(task), key: task.step }))],
    calldata: Object.fromEntries(missing),
    curator: adoption?.curator ?? null,
    seekingCurator: adoption ? adoption.curator === null : null,
    realizationMode: adoption?.realizationMode ?? null,
    saleRecipient: state.saleRecipient,
    operable: isOperable(view),
    deploymentReadable: adoption !== null,
    governance: {
      marketAdminHeldByInstance: view.marketAdmin.heldByThisInstance,
      oracleOwnedByInstance: wallets.includes(state.oracleOwner),
      oracleOwner: state.oracleOwner,
    },
  }
}
