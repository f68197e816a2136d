import type { Address } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { roleReads } from '../core/index.ts'

export interface Author {
  readonly wallet: Address
  readonly authority: 'CURATOR' | 'MARKET_ADMIN' | 'MARKET_ISSUER'
}

/** Which wallet of an instance may write terms, and why; null: none. 'UNREADABLE': the contracts did not tell. */
export async function readAuthor(
  chain: Chain,
  { address, factory }: Market,
  wallets: readonly Address[],
): Promise<Author | null | 'UNREADABLE'> {
  const { results } = await chain.read([
    contractRead(factory, abis.factory, 'deployment', [address]),
    ...roleReads(address, 'DEFAULT_ADMIN_ROLE', wallets),
    ...roleReads(address, 'ISSUER_ROLE', wallets),
  ])
  const [deployment, ...roles] = results
  if (!deployment?.ok || roles.some((role) => !role.ok)) return 'UNREADABLE'
  const curator = (deployment.value as { curator: Address }).curator.toLowerCase()
  const holderOf = (held: readonly ReadResult<unknown>[]) =>
    wallets.find((_, index) => {
      const role = held[index]
      return role?.ok === true && role.value === true
    })
  const lender = wallets.find((wallet) => wallet === curator)
  if (lender) return { wallet: lender, authority: 'CURATOR' }
  const admin = holderOf(roles.slice(0, wallets.length))
  if (admin) return { wallet: admin, authority: 'MARKET_ADMIN' }
  const issuer = holderOf(roles.slice(wallets.length))
  return issuer ? { wallet: issuer, authority: 'MARKET_ISSUER' } : null
}
