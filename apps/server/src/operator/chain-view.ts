import type { ChainView } from '@tallystick/deployer'
import type { Chain } from '../platform/chain/chain.ts'
import { callView, codeAt } from './contract-code.reads.ts'

/** A chain as the plans of deployments look at it. */
export function chainView(chain: Chain): ChainView {
  return {
    hasCode: async (address) => (await codeAt(chain, address)) !== '0x',
    call: (to, data) => callView(chain, to, data),
  }
}
