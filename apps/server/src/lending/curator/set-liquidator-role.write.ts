import { lendingOperations } from '@tallystick/wire'
import { provenMarketWrite } from '../core/index.ts'
import type { RoleAction } from './access-role.rules.ts'
import { changedRole, changeIn, evidenceOf, presentChange, readRole, unchangedRole } from './role-change.ts'

const ofLiquidator = (body: { readonly address: string; readonly action: RoleAction }) =>
  changeIn({ ...body, role: 'MARKET_LIQUIDATOR' })

/** Who may realize loans of the market. */
export const setLiquidatorRole = provenMarketWrite(lendingOperations.setLiquidatorRole, {
  async build(request) {
    const change = ofLiquidator(request.body)
    const { block, isUnchanged, signing } = await readRole(request, change, request.refuse)
    if (isUnchanged) return { block, whole: unchangedRole(request, change) }
    const { calls, step, shown } = await presentChange(request, change, signing, 'liquidator-role')
    return { block, calls, whole: { ...shown, configurationCalldata: { liquidatorRole: step } } }
  },

  evidence: ({ market, body }) => evidenceOf(market, ofLiquidator(body)),

  proven: (proof, request) => changedRole(request, ofLiquidator(request.body), proof),
})
