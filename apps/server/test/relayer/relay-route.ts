import { notaryAbi } from '@tallystick/abi/testing'
import { defineOperation, Hash, relayErrors } from '@tallystick/wire'
import { Type } from 'typebox'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { AppError } from '../../src/platform/app-error.ts'
import type { UnsignedCall } from '../../src/platform/chain/simulate.ts'
import { type Route, route } from '../../src/platform/http/route.ts'
import type { RelayerService } from '../../src/relayer/index.ts'

const relayNote = defineOperation({
  feature: 'stocks',
  id: 'relayNote',
  method: 'POST',
  path: '/test/api/relay',
  scope: 'stocks:write',
  summary: 'Has the relayer record a note',
  body: Type.Object({ id: Hash, fail: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
  legs: {
    write: {
      data: Type.Object({ transactionHash: Hash, relayId: Type.String() }),
      errors: { ...relayErrors, NOT_NOMINATED: { status: 409, message: 'As the test asked for.' } },
    },
  },
})

export const recordCall = (notary: Address, id: Hex, amount = 7n): UnsignedCall => ({
  to: notary,
  data: encodeFunctionData({ abi: notaryAbi, functionName: 'record', args: [id, amount] }),
  value: 0n,
})

/** A write of the product in miniature that lets the relayer sign. */
export function relayRoute(service: () => RelayerService, notary: Address): Route {
  return route(relayNote, async ({ caller, tenant, body }) => {
    const { txHash, relayId } = await service().relay(
      tenant,
      caller.instance.chainId,
      'relayNote',
      recordCall(notary, body.id as Hex),
    )
    if (body.fail) throw new AppError('NOT_NOMINATED')
    return { data: { transactionHash: txHash, relayId } }
  })
}
