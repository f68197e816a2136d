import { type BodyOf, type identityOperations, investorTypes } from '@tallystick/wire'
import { type Address, getAddress, type Hex } from 'viem'
import type { ConfirmedCandidate } from '../../intents/index.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress, requireAddress } from '../../platform/chain/address.ts'
import type { IdentityParts } from '../parts.ts'
import { thenAndNow, verificationOf } from '../register/after-receipt.ts'
import { latestReader } from '../register/block-reader.ts'
import { buildCall, findSigner } from '../register/build-call.ts'
import { confirmedFields } from '../register/confirmed-fields.ts'
import { confirmAt } from '../register/endpoint.ts'
import type { FindRegister, FoundRegister, IdentityCall } from '../register/find-register.service.ts'
import type { IdentityState } from '../register/register.ts'
import { alpha3Of } from './countries.rules.ts'
import { type InvestorInput, investorNumber, isFault, readInvestor } from './identity-input.rules.ts'
import { insertRecord } from './records.store.ts'

type VerifyBody = BodyOf<typeof identityOperations.verifyIdentity>

function requireIdentityAddress(text: string | undefined): Address | null {
  if (text === undefined) return null
  const address = parseAddress(text)
  if (!address)
    throw fieldError('INVALID_IDENTITY_ADDRESS', [{ field: 'identityAddress', message: 'has a wrong checksum' }])
  return address
}

/** Verifying a wallet, or renewing what is known of it. */
export function createVerify({ clock, intents }: IdentityParts, registers: FindRegister) {
  function read(body: VerifyBody, wallet: Address, now: number): InvestorInput {
    if (body.country === undefined) throw new AppError('MISSING_COUNTRY')
    const input = readInvestor({ ...body, country: body.country }, wallet, { now, at: clock.now() })
    if (isFault(input)) throw fieldError(input.code, [{ field: input.field, message: input.message }])
    return input
  }

  /** What the registry holds at the block of the receipt, or now where the node has forgotten that block. */
  async function stateAfter(found: FoundRegister, wallet: Address, { transaction, effect }: ConfirmedCandidate) {
    const { then, now } = await thenAndNow(found, transaction, (reader) => found.register.identity(reader, wallet))
    const state = then ?? now
    const isOther = effect.newIdentity !== undefined && state.identityAddress !== effect.newIdentity
    if (isOther) throw new AppError('TX_TARGET_MISMATCH')
    if (!state.isRegistered)
      throw new AppError('VERIFY_FAILED', {
        detail: 'The registry does not list the wallet at the block of the receipt.',
      })
    return state
  }

  return {
    async build(call: IdentityCall, body: VerifyBody) {
      const wallet = requireAddress(body.walletAddress)
      const identityAddress = requireIdentityAddress(body.identityAddress)
      if (body.country === undefined) throw new AppError('MISSING_COUNTRY')
      const found = await registers.find(call, body.registryAddress)
      const { register, chain } = found
      const reader = latestReader(chain)
      const state = await register.identity(reader, wallet)
      const block = reader.block()
      const input = read(body, wallet, block.time)
      const isOwn = register.kind === 'TALLYSTICK'
      if (!isOwn && (input.softExpiry || input.hardExpiry)) throw new AppError('INVALID_EXPIRY')
      const planned = await register.planVerification(reader, wallet, state, { ...input, identityAddress })
      const signer = await findSigner(reader, found, planned.power)
      const built = await buildCall(found, planned, signer, clock)
      const operation = state.isRegistered ? ('update' as const) : ('verify' as const)
      const data = {
        ...built,
        registerKind: register.kind,
        registryAddress: register.address,
        walletAddress: getAddress(wallet),
        description: `${operation === 'verify' ? 'Verifies' : 'Renews'} the identity of ${getAddress(wallet)}.`,
        operation,
        country: input.country.alpha3,
        kycHash: isOwn ? input.kycHash : null,
        investorType: isOwn ? input.investorType : null,
        softExpiry: isOwn ? input.softExpiry : null,
        hardExpiry: isOwn ? input.hardExpiry : null,
        identityAddress,
        confirmWith: confirmAt('/verify'),
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: IdentityCall, body: VerifyBody & { txHash: string }) {
      const wallet = requireAddress(body.walletAddress)
      requireIdentityAddress(body.identityAddress)
      const expectedType = investorNumber(body.investorType)
      if (expectedType === null) throw new AppError('INVALID_INVESTOR_TYPE')
      const found = await registers.find(call, body.registryAddress)
      const { register, chain } = found
      const place = register.verificationPlace(wallet)
      let state: IdentityState | undefined
      const proof = await intents.confirmOneOf(
        call.tenant,
        { chain, ...place },
        place.candidates,
        body.txHash as Hex,
        async (proven) => {
          const { effect, transaction, logIndex } = proven
          const given = typeof effect.investorType === 'number' ? effect.investorType : null
          if (body.investorType !== undefined && given !== null && given !== expectedType)
            throw new AppError('TX_INVESTOR_TYPE_MISMATCH')
          const after = await stateAfter(found, wallet, proven)
          state = after
          const row = {
            chainId: chain.chainId,
            registry: register.address,
            wallet,
            txHash: transaction.hash,
            logIndex,
            status: 'verified' as const,
            country: alpha3Of(after.country),
            investorType: given === null ? null : (investorTypes[given] ?? null),
          }
          return { asTenant: (sql) => insertRecord(sql, call.tenant.instanceId, row, clock.now()) }
        },
        (transaction) => (place.mismatch(transaction) ? new AppError('TX_TARGET_MISMATCH') : null),
      )
      const { effect, functionName, transaction } = proof
      const data = {
        ...confirmedFields(register, wallet, proof),
        status: 'verified' as const,
        operation: firstTime.has(functionName) ? ('verify' as const) : ('update' as const),
        country: alpha3Of(state?.country ?? 0),
        kycHash: effect.kycHash === undefined ? null : String(effect.kycHash),
        investorType: typeof effect.investorType === 'number' ? effect.investorType : null,
        verification: await verificationOf(found, wallet, transaction),
      }
      return { data, block: transaction.block }
    },
  }
}

const firstTime: ReadonlySet<string> = new Set(['verifyIdentity', 'registerIdentity'])

export type Verify = ReturnType<typeof createVerify>
