import { lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { plannedCall } from '../../platform/chain/unsigned-call.ts'
import { requireOperator, type SignerBlock } from '../core/index.rules.ts'
import { marketBuild, signerBlock } from '../core/index.ts'
import { type Action, describeAction, whyNotAct } from './action.rules.ts'
import { applyCall, cancelCall, confirmCall } from './extension-calls.ts'
import { kinds } from './proposal.rules.ts'
import { readProposalState } from './proposal-state.ts'

/** Who may take which step, from the answers about the admin and the issuer role. */
function signerOf(action: Action, wallets: readonly Address[], answers: readonly ReadResult<boolean>[]): SignerBlock {
  const admins = answers.slice(0, wallets.length)
  if (action === 'confirm') return signerBlock('DEFAULT_ADMIN_ROLE', wallets, admins)
  if (action === 'cancel') return signerBlock('ISSUER_OR_ADMIN', [...wallets, ...wallets], answers)
  const [first = null] = wallets
  return {
    requiredRole: null,
    requiredSigner: null,
    heldByThisInstance: first !== null,
    signerAddress: first,
    note: first ? null : 'Your instance has no verified wallet. Any wallet may apply a confirmed batch.',
  }
}

/** What follows a proposal: the admin confirms, anyone applies a batch, either of both roles cancels. */
export const actOnExtension = marketBuild(lendingOperations.actOnExtension, {
  confirmedBy: lendingOperations.confirmExtensionTransaction,
  shape: 'flat',

  precheckBuild({ params: { action }, body: { loanIds } }) {
    if (action === 'apply' && !loanIds)
      throw fieldError('VALIDATION_ERROR', [{ field: 'loanIds', message: 'is required to apply' }])
    if (action !== 'apply' && loanIds)
      throw fieldError('VALIDATION_ERROR', [{ field: 'loanIds', message: `is not a field of ${action}` }])
  },

  async build({ market, record: { wallets }, chain, tenant, params, body, refuse }) {
    const { action } = params
    const proposalId = BigInt(params.proposalId)
    const state = await readProposalState({ tenant, chain, market, wallets, refuse }, proposalId)
    const { block, terms, operator, proposal, loan, roles } = state
    requireOperator(operator, refuse)
    const loanIds = (body.loanIds ?? []).map((one) => BigInt(one))
    const refusal = whyNotAct(action, { terms, proposal, loan, loanIds, chainTime: block.time })
    if (refusal) throw refuse(refusal.code, refusal)

    const signer = signerOf(action, wallets, roles)
    return {
      block,
      signer: signer.signerAddress,
      args:
        action === 'apply'
          ? plannedCall(applyCall, market.address, { proposalId, loanIds })
          : plannedCall(action === 'confirm' ? confirmCall : cancelCall, market.address, { proposalId }),
      answer: {
        ...signer,
        kind: kinds[proposal.kind] ?? 'LOAN',
        proposalId: proposalId.toString(),
        description: describeAction(action, proposalId, proposal),
      },
    }
  },
})
