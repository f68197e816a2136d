import type { GetSetupSteps, Hex } from '@tallystick/sdk'
import type { Demo } from '../demo/demo.ts'
import { sendDirectly } from './direct-calls.ts'

/** What the lender signs; all else is up to the administrator of the token. */
const lendersRoles = ['ORACLE_OWNER', 'DEFAULT_ADMIN_ROLE', 'NOMINATED_CANDIDATE']

/** Signs every missing step with the wallet whose business it is. */
export async function sendSetup(demo: Demo, { steps, calldata }: GetSetupSteps['data']): Promise<void> {
  const [lender, issuer] = [demo.wallet('Lender of record'), demo.wallet('Issuer platform')]
  for (const { key, requiredRole } of steps) {
    const call = calldata[key]
    if (!call) continue
    const wallet = lendersRoles.includes(requiredRole) ? lender : issuer
    await sendDirectly(wallet, [{ to: call.to, data: call.data as Hex }])
  }
}
