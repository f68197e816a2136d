import { Address, defineOperation, Hash, LowercaseAddress, Nullable, transactionErrors } from '@tallystick/wire'
import { Type } from 'typebox'
import type { Address as Account, Hex } from 'viem'
import type { Chains } from '../src/platform/chain/chains.ts'
import { type Route, route } from '../src/platform/http/route.ts'
import type { WritesService } from '../src/writes/index.ts'
import { eraseNote, explainNotary, recordNote } from './notary.call.ts'

const notary = { feature: 'lending', service: 'lending' } as const
const NotaryPath = Type.Object({ notary: Address })
const Signer = Type.Optional(Address)

const Built = Type.Object({
  action: Type.Literal('SIGN_TRANSACTION'),
  transaction: Type.Object({
    to: LowercaseAddress,
    data: Type.String(),
    value: Type.String(),
    chainId: Type.Integer(),
  }),
  functionName: Type.String(),
  simulation: Type.Object({
    simulated: Type.Boolean(),
    success: Type.Boolean(),
    gasUsed: Nullable(Type.String()),
    revert: Nullable(Type.Object({ error: Type.String(), code: Nullable(Type.String()), message: Type.String() })),
  }),
})
const chainErrors = { CHAIN_UNAVAILABLE: transactionErrors.CHAIN_UNAVAILABLE }
const confirmed = { txHash: Type.String(), verifiedBy: Type.Optional(Type.Literal('receipt-log')) }

const recordOperation = defineOperation({
  ...notary,
  id: 'recordNote',
  method: 'POST',
  path: '/test/api/notary/{notary}/record',
  scope: 'lending:write',
  summary: 'Record a note',
  params: NotaryPath,
  body: Type.Object(
    { id: Hash, amount: Type.String(), signer: Signer, txHash: Type.Optional(Hash) },
    { additionalProperties: false },
  ),
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    build: { data: Built, errors: chainErrors },
    confirm: {
      data: Type.Object(
        { id: Type.String(), amount: Type.String(), by: LowercaseAddress, ...confirmed },
        { additionalProperties: false },
      ),
      errors: transactionErrors,
    },
  },
})

const eraseOperation = defineOperation({
  ...notary,
  id: 'eraseNote',
  method: 'POST',
  path: '/test/api/notary/{notary}/erase',
  scope: 'lending:write',
  summary: 'Erase a note',
  params: NotaryPath,
  body: Type.Object({ id: Hash, signer: Signer, txHash: Type.Optional(Hash) }, { additionalProperties: false }),
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    build: { data: Built, errors: chainErrors },
    confirm: {
      data: Type.Object({ id: Type.String(), by: LowercaseAddress, ...confirmed }, { additionalProperties: false }),
      errors: transactionErrors,
    },
  },
})

const confirmAnyOperation = defineOperation({
  ...notary,
  id: 'confirmNotary',
  method: 'POST',
  path: '/test/api/notary/{notary}/confirm',
  scope: 'lending:write',
  summary: 'Confirm whatever was done to notes',
  params: NotaryPath,
  body: Type.Object({ txHash: Hash }, { additionalProperties: false }),
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    confirm: {
      data: Type.Object(
        { functionName: Type.String(), did: Type.Array(Type.String()), ...confirmed },
        { additionalProperties: false },
      ),
      errors: transactionErrors,
    },
  },
})

const listOperation = defineOperation({
  ...notary,
  id: 'listNotes',
  method: 'GET',
  path: '/test/api/notes',
  scope: 'lending:read',
  summary: 'List recorded notes',
  legs: {
    read: {
      data: Type.Array(
        Type.Object({
          id: Type.String(),
          amount: Type.String(),
          txHash: Type.String(),
          finality: Type.String(),
          verifiedBy: Type.String(),
        }),
      ),
      errors: {},
    },
  },
})

/** A two-leg write of the product in miniature, mounted behind the real door. */
export function notaryRoutes(chains: Chains, writes: WritesService): Route[] {
  const at = (chainId: number, target: string) => ({
    chain: chains.get(chainId),
    target: target.toLowerCase() as Account,
    kind: 'notary',
  })
  const signerOf = (signer: string | undefined) => (signer ? (signer.toLowerCase() as Account) : null)

  return [
    route(recordOperation, async ({ caller, tenant, params, body }) => {
      const intent = { ...at(caller.instance.chainId, params.notary), pair: recordNote }
      const id = body.id as Hex
      if (!body.txHash)
        return {
          data: await writes.build(intent, { id, amount: BigInt(body.amount) }, signerOf(body.signer), explainNotary),
        }
      const proof = await writes.confirm(tenant, intent, { id, amount: body.amount }, body.txHash as Hex)
      const { effect, transaction, verifiedBy } = proof
      return {
        data: { ...effect, txHash: transaction.hash, ...(verifiedBy ? { verifiedBy } : {}) },
        block: transaction.block,
      }
    }),
    route(eraseOperation, async ({ caller, tenant, params, body }) => {
      const intent = { ...at(caller.instance.chainId, params.notary), pair: eraseNote }
      const id = body.id as Hex
      if (!body.txHash) return { data: await writes.build(intent, { id }, signerOf(body.signer), explainNotary) }
      const { effect, transaction, verifiedBy } = await writes.confirm(tenant, intent, { id }, body.txHash as Hex)
      return {
        data: { ...effect, txHash: transaction.hash, ...(verifiedBy ? { verifiedBy } : {}) },
        block: transaction.block,
      }
    }),
    route(confirmAnyOperation, async ({ caller, tenant, params, body }) => {
      const place = at(caller.instance.chainId, params.notary)
      const accepted = [{ pair: recordNote }, { pair: eraseNote }]
      const proof = await writes.confirmAny(tenant, place, accepted, body.txHash as Hex)
      const { functionName, effects, transaction, verifiedBy } = proof
      const did = effects.map(({ operation, effect }) => `${operation} ${effect.id}`)
      const data = { functionName, did, txHash: transaction.hash, ...(verifiedBy ? { verifiedBy } : {}) }
      return { data, block: transaction.block }
    }),
    route(listOperation, async ({ tenant }) => ({
      data: (await writes.recorded(tenant, recordNote.operation)).map(({ effect, txHash, finality, verifiedBy }) => ({
        id: String(effect.id),
        amount: String(effect.amount),
        txHash,
        finality,
        verifiedBy,
      })),
    })),
  ]
}
