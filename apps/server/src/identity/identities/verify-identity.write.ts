import { identityOperations, investorTypes, type LegBodyOf } from '@tallystick/wire'
import { type Address, getAddress } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { ConfirmedCandidate } from '../../writes/index.ts'
import { confirmedFields, latestReader, thenAndNow, toSign, verificationOf, walletWrite } from '../register/index.ts'
import { alpha3Of, type InvestorInput, investorNumber, isFault, readInvestor } from '../values/index.rules.ts'
import { recordsOf } from './records.service.ts'

type VerifyBody = LegBodyOf<typeof identityOperations.verifyIdentity, 'build'>

function requireIdentityAddress(text: string | undefined): Address | null {
  if (text === undefined) return null
  const address = parseAddress(text)
  if (!address)
    throw fieldError('INVALID_IDENTITY_ADDRESS', [{ field: 'identityAddress', message: 'has a wrong checksum' }])
  return address
}

function requireInvestor(
  body: VerifyBody & { readonly country: string | number },
  wallet: Address,
  times: { now: number; at: Date },
): InvestorInput {
  const input = readInvestor(body, wallet, times)
  if (isFault(input)) throw fieldError(input.code, [{ field: input.field, message: input.message }])
  return input
}

const typeIn = ({ effect: { investorType } }: ConfirmedCandidate) =>
  typeof investorType === 'number' ? investorType : null

const firstTime: ReadonlySet<string> = new Set(['verifyIdentity', 'registerIdentity'])

/** Verifying a wallet, or renewing what is known of it. */
export const verifyIdentity = walletWrite(identityOperations.verifyIdentity, {
  precheck: ({ identityAddress }) => void requireIdentityAddress(identityAddress),

  async build({ body, refuse, now, ...found }) {
    const { register, chain, wallet } = found
    const { country } = body
    if (country === undefined) throw refuse('MISSING_COUNTRY')
    const identityAddress = requireIdentityAddress(body.identityAddress)
    const reader = latestReader(chain)
    const state = await register.identity(reader, wallet)
    const block = reader.block()
    const input = requireInvestor({ ...body, country }, wallet, { now: block.time, at: now })
    const isOwn = register.kind === 'TALLYSTICK'
    if (!isOwn && (input.softExpiry || input.hardExpiry)) throw refuse('INVALID_EXPIRY')
    const planned = await register.planVerification(reader, wallet, state, { ...input, identityAddress })
    const operation = state.isRegistered ? ('update' as const) : ('verify' as const)
    return toSign(found, reader, planned, {
      description: `${operation === 'verify' ? 'Verifies' : 'Renews'} the identity of ${getAddress(wallet)}.`,
      operation,
      country: input.country.alpha3,
      kycHash: isOwn ? input.kycHash : null,
      investorType: isOwn ? input.investorType : null,
      softExpiry: isOwn ? input.softExpiry : null,
      hardExpiry: isOwn ? input.hardExpiry : null,
      identityAddress,
    })
  },

  evidence({ register, wallet, body, refuse }) {
    if (investorNumber(body.investorType) === null) throw refuse('INVALID_INVESTOR_TYPE')
    const place = register.verificationPlace(wallet)
    return { ...place, refuse: (transaction) => (place.mismatch(transaction) ? refuse('TX_TARGET_MISMATCH') : null) }
  },

  async along(proof, request) {
    const { register, wallet, body, refuse } = request
    const { effect, transaction } = proof
    const given = typeIn(proof)
    if (body.investorType !== undefined && given !== null && given !== investorNumber(body.investorType))
      throw refuse('TX_INVESTOR_TYPE_MISMATCH')
    const { then, now } = await thenAndNow(request, transaction, (reader) => register.identity(reader, wallet))
    // A node that has forgotten the block of the receipt tells how it is now.
    const state = then ?? now
    const isOther = effect.newIdentity !== undefined && state.identityAddress !== effect.newIdentity
    if (isOther) throw refuse('TX_TARGET_MISMATCH')
    if (!state.isRegistered)
      throw refuse('VERIFY_FAILED', { detail: 'The registry does not list the wallet at the block of the receipt.' })
    const country = alpha3Of(state.country)
    const investorType = given === null ? null : (investorTypes[given] ?? null)
    const record = { wallet, status: 'verified' as const, country, investorType }
    return { seen: { country }, alongside: recordsOf(request, proof, [record]) }
  },

  async proven(proof, request, { country }) {
    const { effect, functionName, transaction } = proof
    return {
      ...confirmedFields(request, transaction),
      status: 'verified' as const,
      operation: firstTime.has(functionName) ? ('verify' as const) : ('update' as const),
      country,
      kycHash: effect.kycHash === undefined ? null : String(effect.kycHash),
      investorType: typeIn(proof),
      verification: await verificationOf(request, request.wallet, transaction),
    }
  },
})
