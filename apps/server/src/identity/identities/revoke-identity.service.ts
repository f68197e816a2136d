import type { BodyOf, identityOperations } from '@tallystick/wire'
import { getAddress, type Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import type { IdentityParts } from '../parts.ts'
import { thenAndNow, verificationOf } from '../register/after-receipt.ts'
import { latestReader } from '../register/block-reader.ts'
import { buildCall, findSigner } from '../register/build-call.ts'
import { confirmedFields } from '../register/confirmed-fields.ts'
import { confirmAt } from '../register/endpoint.ts'
import type { FindRegister, IdentityCall } from '../register/find-register.service.ts'
import { insertRecord } from './records.store.ts'

type RevokeBody = BodyOf<typeof identityOperations.revokeIdentity>

/** Taking an identity away: the wallet holds and receives no more. */
export function createRevokeIdentity({ clock, intents }: IdentityParts, registers: FindRegister) {
  return {
    async build(call: IdentityCall, body: RevokeBody) {
      const wallet = requireAddress(body.walletAddress)
      const found = await registers.find(call, body.registryAddress)
      const { register, chain } = found
      const reader = latestReader(chain)
      const state = await register.identity(reader, wallet)
      if (!state.isRegistered)
        throw new AppError('REVOKE_FAILED', { detail: 'The wallet has no unrevoked identity on this registry.' })
      const planned = register.planRemoval(wallet)
      const signer = await findSigner(reader, found, planned.power)
      const built = await buildCall(found, planned, signer, clock)
      const data = {
        ...built,
        registerKind: register.kind,
        registryAddress: register.address,
        walletAddress: getAddress(wallet),
        description: `Revokes the identity of ${getAddress(wallet)} and with it all its claims.`,
        confirmWith: confirmAt('/revoke'),
      }
      return { data, block: reader.block(), calls: [built.transaction] }
    },

    async confirm(call: IdentityCall, body: RevokeBody & { txHash: string }) {
      const wallet = requireAddress(body.walletAddress)
      const found = await registers.find(call, body.registryAddress)
      const { register, chain } = found
      const place = register.removalPlace(wallet)
      let reverified = false
      const proof = await intents.confirmOneOf(
        call.tenant,
        { chain, ...place },
        place.candidates,
        body.txHash as Hex,
        async ({ transaction, logIndex }) => {
          const { then, now } = await thenAndNow(found, transaction, (reader) => register.identity(reader, wallet))
          if ((then ?? now).isRegistered)
            throw new AppError('REVOKE_FAILED', {
              detail: 'The identity stands at the block of the receipt: it was given back in the same block.',
            })
          reverified = now.isRegistered
          const row = {
            chainId: chain.chainId,
            registry: register.address,
            wallet,
            txHash: transaction.hash,
            logIndex,
            status: 'revoked' as const,
            country: null,
            investorType: null,
          }
          return { asTenant: (sql) => insertRecord(sql, call.tenant.instanceId, row, clock.now()) }
        },
        (transaction) => (place.mismatch(transaction) ? new AppError('TX_TARGET_MISMATCH') : null),
      )
      const data = {
        ...confirmedFields(register, wallet, proof),
        status: 'revoked' as const,
        reverified,
        verification: await verificationOf(found, wallet, proof.transaction),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type RevokeIdentity = ReturnType<typeof createRevokeIdentity>
