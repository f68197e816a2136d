import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { type DeployedRecord, endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { readOr } from '../unreadable.ts'
import { orNull } from './factory-entry.rules.ts'
import { setOperatorWalletCall } from './set-operator-wallet.call.ts'

type Body = BodyOf<typeof lendingOperations.setOperatorWallet>

function requireRecipient({ newRecipient }: Body): Address {
  if (newRecipient === undefined)
    throw fieldError('VALIDATION_ERROR', [{ field: 'newRecipient', message: 'is required' }])
  const address = parseAddress(newRecipient)
  if (!address || address === zeroAddress) throw new AppError('INVALID_WALLET')
  return address
}

/** Moves the operator's share and its right to deposit to another of its wallets. */
export function createOperatorWallet({ chains, intents }: LendingParts) {
  async function readOperator({ market }: DeployedRecord) {
    const { block, results } = await chains
      .get(market.chainId)
      .read([
        contractRead(market.factory, abis.factory, 'deployment', [market.address]),
        contractRead(market.address, abis.market, 'parts', []),
      ])
    const [deployment, parts] = results
    if (!deployment.ok || !parts.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
    if (deployment.value.curator === zeroAddress) throw new AppError('MARKET_NOT_ADOPTED')
    return { block, operator: orNull(parts.value.operator) ?? zeroAddress }
  }

  async function buildFor(call: MarketCall, record: DeployedRecord, body: Body) {
    const { market, marketId, wallets } = record
    const newRecipient = requireRecipient(body)
    const { block, operator } = await readOperator(record)
    if (!wallets.includes(operator)) throw new AppError('NOT_OPERATOR_INSTANCE')
    if (body.signerAddress !== undefined && parseAddress(body.signerAddress) !== operator)
      throw new AppError('NOT_OPERATOR_WALLET')
    if (newRecipient === operator) throw new AppError('WALLET_UNCHANGED')
    if (!wallets.includes(newRecipient)) throw new AppError('WALLET_NOT_VERIFIED')
    const intent = {
      chain: chains.get(market.chainId),
      pair: setOperatorWalletCall,
      target: market.address,
      kind: 'market',
    }
    const built = await intents.build(intent, { newRecipient }, operator, explainLending)
    const data = {
      ...built,
      marketAddress: market.address,
      requiredSigner: operator,
      previous: operator,
      newRecipient,
      description:
        'Moves the operator share, booked or to come, and the right to deposit. Pool shares and roles stay where they are.',
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/operator-wallet`),
        field: 'txHash' as const,
      },
    }
    return { data, block, calls: [built.transaction] }
  }

  return {
    async build(call: MarketCall, marketId: string, body: Body) {
      const record = await findDeployedMarket(call, marketId)
      return readOr('MARKET_STATE_UNAVAILABLE', buildFor(call, record, body))
    },

    async confirm(call: MarketCall, marketId: string, body: Body & { readonly txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const newRecipient = body.newRecipient === undefined ? undefined : expectedRecipient(body.newRecipient)
      const { address, chainId } = market
      const intent = { chain: chains.get(chainId), pair: setOperatorWalletCall, target: address, kind: 'market' }
      const proof = await intents.confirm(call.tenant, intent, { newRecipient }, body.txHash as Hex)
      const { effect, transaction, verifiedBy } = proof
      const data = {
        txHash: transaction.hash,
        ...(verifiedBy ? { verifiedBy } : {}),
        signedBy: transaction.from,
        previous: String(effect.previous),
        operatorWallet: String(effect.current),
      }
      return { data, block: transaction.block }
    },
  }
}

function expectedRecipient(text: string): Address {
  const address = parseAddress(text)
  if (!address)
    throw fieldError('VALIDATION_ERROR', [
      { field: 'newRecipient', message: 'is not an address, or has a wrong checksum' },
    ])
  return address
}

export type OperatorWallet = ReturnType<typeof createOperatorWallet>
