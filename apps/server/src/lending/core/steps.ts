import type { Address } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import { approveStep, forecast, type PlannedStep, presentSteps } from '../../platform/chain/unsigned-call.ts'
import type { Clock } from '../../platform/clock.ts'
import { explainLending } from '../reverts/index.ts'

export { approveStep, type PlannedStep }

/** What would happen if one signer sent the calls of lending now, in order. */
export const simulateInOrder = (chain: Chain, signer: Address | null, calls: readonly UnsignedCall[], clock: Clock) =>
  forecast(chain, signer, calls, { clock, explain: explainLending })

/** Several transactions of one signer, simulated in order. A failing simulation refuses nothing. */
export const buildSteps = (chain: Chain, signer: Address | null, planned: readonly PlannedStep[], clock: Clock) =>
  presentSteps(chain, planned, signer, { clock, explain: explainLending })
