import { lendingOperations } from '@tallystick/wire'
import { plannedCall } from '../../platform/chain/unsigned-call.ts'
import { requireOperator } from '../core/index.rules.ts'
import { marketBuild, roleReads, signerBlock } from '../core/index.ts'
import { extensionReads, loanRead } from './extension.reads.ts'
import { proposeCall } from './extension-calls.ts'
import { describeProposal, kinds, requestOf, whyNotPropose } from './proposal.rules.ts'
import { isProvidedFor } from './provision.ts'

/** The issuer's half of an extension: an unsigned proposal that the market would take now. */
export const proposeExtension = marketBuild(lendingOperations.proposeExtension, {
  confirmedBy: lendingOperations.confirmExtensionTransaction,
  shape: 'flat',

  precheckBuild: ({ body, refuse }) => void requestOf(body, refuse),

  async build({ market, record: { wallets }, chain, tenant, body, refuse }) {
    const request = requestOf(body, refuse)
    const [isProvided, { block, results }] = await Promise.all([
      isProvidedFor(tenant, market),
      chain.read([
        ...extensionReads(market),
        loanRead(market, request.loanId),
        ...roleReads(market.address, 'ISSUER_ROLE', wallets),
      ]),
    ])
    const [terms, operator, loan, ...roles] = results
    if (!terms.ok || !operator.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
    requireOperator(operator.value, refuse)
    const situation = { terms: terms.value, loan: loan.ok ? loan.value : null, chainTime: block.time }
    const refusal = whyNotPropose(request, { ...situation, isProvidedFor: isProvided })
    if (refusal) throw refuse(refusal.code, refusal)

    const signer = signerBlock('ISSUER_ROLE', wallets, roles)
    return {
      block,
      signer: signer.signerAddress,
      args: plannedCall(proposeCall, market.address, { ...request, kind: kinds.indexOf(request.kind) }),
      answer: { ...signer, kind: request.kind, description: describeProposal(request) },
    }
  },
})
