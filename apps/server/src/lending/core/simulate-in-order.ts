import type { Address } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import { forecast } from '../../platform/chain/unsigned-call.ts'
import type { Clock } from '../../platform/clock.ts'
import { explainLending } from '../reverts/index.ts'

/** What would happen if one signer sent the calls of lending now, in order. */
export const simulateInOrder = (chain: Chain, signer: Address | null, calls: readonly UnsignedCall[], clock: Clock) =>
  forecast(chain, signer, calls, { clock, explain: explainLending })
