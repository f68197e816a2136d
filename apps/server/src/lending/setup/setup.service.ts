import type { MarketCall } from '../core/index.ts'
import { configurationStatus } from './configuration-status.rules.ts'
import { callFor } from './configure.call.ts'
import { setupSteps } from './setup-steps.rules.ts'
import type { SetupTask } from './setup-tasks.rules.ts'
import { findForSetup, type ReadSetupView } from './setup-view.service.ts'

/** The call that does a task; null: something has to be known or to happen first. */
function unsigned({ action, target, subject, refusal, isRegistered }: SetupTask) {
  if (refusal || !target || !subject) return null
  const { to, data } = callFor(action, isRegistered).prepare(target, { subject })
  return { to, data }
}

const described = (task: SetupTask) =>
  `${task.title}. Signed by ${task.requiredRole}${task.signer ? ` (${task.signer})` : ''}.`

/** A call of shape C, with what is known about who can sign it. */
export const configurationCall = (chainId: number) => (task: SetupTask) => {
  const call = unsigned(task)
  return (
    call && {
      ...call,
      value: '0' as const,
      chainId,
      description: task.title,
      requiredAuthority: task.requiredRole,
      heldByThisInstance: task.heldByThisInstance,
      note: task.heldByThisInstance ? null : `No wallet of your instance is known to be ${task.requiredRole}.`,
    }
  )
}

/** How far a market is set up, in two forms: as steps for everybody involved, and as a checklist for the caller. */
export function createSetup(read: ReadSetupView) {
  return {
    async steps(call: MarketCall, marketId: string) {
      const record = await findForSetup(call, marketId)
      const { block, view } = await read(record)
      const callText = (task: SetupTask) => {
        const call = unsigned(task)
        return call && { ...call, description: described(task) }
      }
      return { data: setupSteps(view, callText), block }
    },

    async status(call: MarketCall, marketId: string) {
      const record = await findForSetup(call, marketId)
      const { block, view } = await read(record)
      return { data: configurationStatus(view, configurationCall(record.market.chainId)), block }
    },
  }
}

export type Setup = ReturnType<typeof createSetup>
