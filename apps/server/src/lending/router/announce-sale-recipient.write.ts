import { lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { at, marketWrite } from '../core/index.ts'
import { instantOf, minedAt } from './instants.ts'
import { readSaleRecipient } from './sale-recipient-state.ts'

function requireRecipient(text: string): Address {
  const address = parseAddress(text)
  if (address && address !== zeroAddress) return address
  throw fieldError('VALIDATION_ERROR', [{ field: 'recipientAddress', message: 'is no address that could sell' }])
}

/** Names who shall sell what is seized from now on; they can take over an hour later. */
export const announceSaleRecipient = marketWrite(lendingOperations.announceSaleRecipient, {
  call: at('router', 'announceSaleRecipient', 'SaleRecipientAnnounced'),
  precheckBuild: ({ body }) => void requireRecipient(body.recipientAddress),

  async build(request) {
    const announced = requireRecipient(request.body.recipientAddress)
    const { block, signing, saleRecipient } = await readSaleRecipient(request, request.refuse)
    return {
      block,
      signer: signing.signer,
      args: { newRecipient: announced },
      answer: { marketId: request.marketId, ...signing, saleRecipient, announced },
    }
  },

  expect: () => ({}),

  proven(proof, { marketId }) {
    const activatesAt = Number(proof.effect.activatesAt)
    return {
      marketId,
      announced: proof.effect.recipient,
      activatesAt,
      activatesAtIso: instantOf(activatesAt),
      at: minedAt(proof),
    }
  },
})
