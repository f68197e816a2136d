import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { claimsRead, claimTopicsRead } from './token-side.reads.ts'

/** Used to find out whether a contract answers as an identity at all. */
const ANY_TOPIC = 1n

export function requireIdentity(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw new AppError('INVALID_IDENTITY_ADDRESS')
  return address
}

/** An identity without the claims would be registered for nothing: the register would still not verify it. */
export async function requireClaims(chain: Chain, topicsOf: Address, identity: Address): Promise<void> {
  const { results } = await chain.read([claimsRead(identity, ANY_TOPIC), claimTopicsRead(topicsOf)])
  const [answers, topics] = results
  if (!answers.ok) throw new AppError('ONCHAINID_INVALID')
  const wanted = topics.ok ? topics.value : []
  const held = await chain.read(wanted.map((topic) => claimsRead(identity, topic)))
  const missing = wanted.filter((_, index) => {
    const claims = held.results[index]
    return !claims?.ok || claims.value.length === 0
  })
  if (missing.length > 0)
    throw new AppError('ONCHAINID_CLAIMS_MISSING', {
      detail: `The identity holds no claim on ${missing.map((topic) => `topic ${topic}`).join(', ')}, which the register asks for.`,
    })
}
