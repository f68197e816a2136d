import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { type ContractRead, contractRead } from '../../platform/chain/contract-read.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis, trustAbi } from '../contracts.ts'
import { claimDigest, keyOf, topicOf } from '../values/index.rules.ts'
import type { BlockReader } from './block-reader.ts'
import type { ClaimPlanning, ClaimRequest, ClaimToSign, PlannedClaim, Power } from './register.ts'
import { type Trust, validityRead } from './trex-claims.ts'
import { addIdentityClaimCall } from './trex-registry.call.ts'

const CLAIM_KEY = 3n

const claimKeyRead = (holder: Address, wallet: Address) =>
  contractRead(holder, abis.onchainId, 'keyHasPurpose', [keyOf(wallet), CLAIM_KEY])

interface Signer {
  readonly issuer: Address
  readonly signerAddress: Address | null
}

/** An issuer that is trusted for the topic before one that is trusted for others; first of all one that the instance signs for. */
async function chooseIssuer(
  reader: BlockReader,
  { issuers, issuersRegistry }: Trust,
  topic: bigint,
  wallets: readonly Address[],
): Promise<Signer | null> {
  const [forTopic] = await reader.read([
    contractRead(issuersRegistry, trustAbi, 'getTrustedIssuersForClaimTopic', [topic]),
  ])
  const named = forTopic?.ok ? forTopic.value.map(lowered) : []
  const open = named.length > 0 ? named : issuers
  const pairs = open.flatMap((issuer) => wallets.map((wallet) => ({ issuer, wallet })))
  const held = await reader.read(pairs.map(({ issuer, wallet }) => claimKeyRead(issuer, wallet)))
  const own = pairs.find((_, index) => {
    const result = held[index]
    return result?.ok === true && result.value
  })
  if (own) return { issuer: own.issuer, signerAddress: own.wallet }
  const [first] = open
  return first ? { issuer: first, signerAddress: null } : null
}

/** The trusted issuer that stands by this signature. */
async function issuerOf(reader: BlockReader, trust: Trust, identity: Address, topic: bigint, request: ClaimRequest) {
  const { signature = '0x', dataHash } = request
  const valid = await reader.read(
    trust.issuers.map((issuer) => validityRead(issuer, identity, topic, signature, dataHash)),
  )
  return trust.issuers.find((_, index) => {
    const result = valid[index]
    return result?.ok === true && result.value
  })
}

async function planOne(
  reader: BlockReader,
  trust: Trust,
  identity: Address,
  request: ClaimRequest,
  { wallets, failed }: ClaimPlanning,
): Promise<PlannedClaim> {
  const unfit = (detail: string) => new AppError(failed, { detail })
  const { slot, dataHash, signature } = request
  const topic = topicOf(slot, trust.requiredTopics)
  if (!signature) {
    const chosen = await chooseIssuer(reader, trust, topic, wallets)
    if (!chosen) throw unfit('The registry trusts no claim issuer.')
    const message = claimDigest(identity, topic, dataHash)
    const toSign: ClaimToSign = { slot, message, claimIssuer: chosen.issuer, signerAddress: chosen.signerAddress }
    return { toSign }
  }
  const issuer = await issuerOf(reader, trust, identity, topic, request)
  if (!issuer) throw unfit(`No claim issuer that the registry trusts stands by this signature for ${slot.name}.`)
  const call = addIdentityClaimCall.prepare(identity, { topic, issuer, signature, data: dataHash })
  // Whoever controls the identity signs, the investor as a rule.
  const holder: Power = {
    requiredRole: 'IDENTITY_CLAIM_KEY',
    missingCode: null,
    reads: (own): ContractRead<boolean>[] => own.map((wallet) => claimKeyRead(identity, wallet)),
  }
  return { call: { call, functionName: addIdentityClaimCall.functionName, power: holder } }
}

/** A claim of an ONCHAINID is signed by its issuer first, and then added by whoever controls the identity. */
export async function planTrexClaims(
  reader: BlockReader,
  trust: Trust,
  requests: readonly ClaimRequest[],
  planning: ClaimPlanning,
): Promise<PlannedClaim[]> {
  const { identity } = trust
  if (!identity) throw new AppError(planning.failed, { detail: 'The wallet is not registered.' })
  const planned: PlannedClaim[] = []
  for (const request of requests) planned.push(await planOne(reader, trust, identity, request, planning))
  return planned
}
