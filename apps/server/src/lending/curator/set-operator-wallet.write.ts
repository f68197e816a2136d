import { lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { at, marketWrite } from '../core/index.ts'
import { orNull } from './factory-entry.rules.ts'

const change = at('market', 'setOperatorFeeRecipient', 'OperatorFeeRecipientUpdated')

function expectedRecipient(text: string): Address {
  const address = parseAddress(text)
  if (!address)
    throw fieldError('VALIDATION_ERROR', [
      { field: 'newRecipient', message: 'is not an address, or has a wrong checksum' },
    ])
  return address
}

/** Moves the operator's share and its right to deposit to another of its wallets. */
export const setOperatorWallet = marketWrite(lendingOperations.setOperatorWallet, {
  call: {
    ...change,
    // The adoption emits the same event, from nobody: that is no change of the wallet.
    isFor: (effect, expected) => effect.previous !== zeroAddress && change.isFor(effect, expected),
  } satisfies typeof change,

  async build({ market, record: { wallets }, chain, body, refuse }) {
    const newRecipient = parseAddress(body.newRecipient)
    if (!newRecipient || newRecipient === zeroAddress) throw refuse('INVALID_WALLET')
    const { block, results } = await readNamed(chain, {
      deployment: contractRead(market.factory, abis.factory, 'deployment', [market.address]),
      parts: contractRead(market.address, abis.market, 'parts', []),
    })
    const { deployment, parts } = results
    if (!deployment.ok || !parts.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
    if (deployment.value.curator === zeroAddress) throw refuse('MARKET_NOT_ADOPTED')
    const operator = orNull(parts.value.operator) ?? zeroAddress
    if (!wallets.includes(operator)) throw refuse('NOT_OPERATOR_INSTANCE')
    if (body.signerAddress !== undefined && parseAddress(body.signerAddress) !== operator)
      throw refuse('NOT_OPERATOR_WALLET')
    if (newRecipient === operator) throw refuse('WALLET_UNCHANGED')
    if (!wallets.includes(newRecipient)) throw refuse('WALLET_NOT_VERIFIED')
    return {
      block,
      signer: operator,
      args: { newRecipient },
      answer: {
        marketAddress: market.address,
        requiredSigner: operator,
        previous: operator,
        newRecipient,
        description:
          'Moves the operator share, booked or to come, and the right to deposit. Pool shares and roles stay where they are.',
      },
    }
  },

  expect: ({ body }) => ({
    current: body.newRecipient === undefined ? undefined : expectedRecipient(body.newRecipient),
  }),

  proven: ({ effect, transaction }) => ({
    signedBy: transaction.from,
    previous: effect.previous,
    operatorWallet: effect.current,
  }),
})
