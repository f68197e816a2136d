import { lendingOperations } from '@tallystick/wire'
import { provenMarketWrite } from '../core/index.ts'
import { changedRole, changeIn, evidenceOf, presentChange, readRole, unchangedRole } from './role-change.ts'

/** Who may do what on the contracts of a market. */
export const setAccessRole = provenMarketWrite(lendingOperations.setAccessRole, {
  async build(request) {
    const change = changeIn(request.body)
    const { role, action } = change
    const { block, isUnchanged, ownsOracle, signing } = await readRole(request, change, request.refuse)
    if (role === 'ORACLE_SIGNER' && action === 'revoke' && ownsOracle) throw request.refuse('ORACLE_OWNER_SIGNS')
    if (isUnchanged) return { block, whole: unchangedRole(request, change) }
    const { calls, step, shown } = await presentChange(request, change, signing, 'access-role')
    // Clients that know the liquidator's own route find its step under the same name here.
    const also = role === 'MARKET_LIQUIDATOR' ? { liquidatorRole: step } : {}
    return { block, calls, whole: { ...shown, configurationCalldata: { accessRole: step, ...also } } }
  },

  evidence: ({ market, body }) => evidenceOf(market, changeIn(body)),

  proven: (proof, request) => changedRole(request, changeIn(request.body), proof),
})
