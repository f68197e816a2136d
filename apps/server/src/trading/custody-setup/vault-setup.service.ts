import { stockTokenAbi } from '@tallystick/abi'
import { type Address, isAddress } from 'viem'
import { type AppCode, AppError } from '../../platform/app-error.ts'
import { prefixed, readBounded, withoutPrefix } from '../../platform/chain/bounded-reads.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { type ContractRead, contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'
import type { VaultState } from './custody-state.rules.ts'
import { addAuthorizedContract, addToken } from './setup.call.ts'
import type { SetupStep } from './setup.rules.ts'
import type { SetupProof } from './setup-transactions.ts'
import { isinRead, ownerRead, symbolRead, voiceOf, voiceReads } from './token-rules.reads.ts'
import { type AdmissionVerdict, admissionOf } from './token-rules.rules.ts'

/** A pair in a vault. */
export interface VaultPair {
  readonly vault: Address
  readonly base: Address
  readonly quote: Address
}

const readsOf = ({ vault, base, quote }: VaultPair) => ({
  admin: contractRead(vault, abis.tradingVault, 'admin', []),
  baseInfo: contractRead(vault, abis.tradingVault, 'tokenInfo', [base]),
  quoteInfo: contractRead(vault, abis.tradingVault, 'tokenInfo', [quote]),
  ...prefixed('base_', voiceReads(base)),
  ...prefixed('quote_', voiceReads(quote)),
  isin: isinRead(base),
  symbol: symbolRead(base),
  issuer: ownerRead(base),
  authorized: contractRead(base, stockTokenAbi, 'isAuthorizedContract', [vault]),
})

type Results = NamedResults<ReturnType<typeof readsOf>>

const voiceWith = (prefix: 'base_' | 'quote_', results: Results) =>
  voiceOf(withoutPrefix<NamedResults<ReturnType<typeof voiceReads>>>(prefix, results))

const admissionIn = ({ ok, value }: { ok: boolean; value?: unknown }) => {
  if (!ok) throw new AppError('CHAIN_UNAVAILABLE', { detail: 'The vault does not tell which tokens it takes.' })
  const [isSupported, rules, splits] = value as readonly [boolean, number, boolean]
  return { isSupported, rules, splits }
}

type MoreReads = Readonly<Record<string, ContractRead<unknown>>>

/** Everything that decides whether trades of a pair can settle in a vault, and what else is asked, in one round trip. */
export async function readVaultState<const M extends MoreReads = Record<never, never>>(
  chain: Chain,
  pair: VaultPair,
  more: M = {} as M,
): Promise<VaultState & { readonly more: NamedResults<M> }> {
  const { results: all } = await readBounded(chain, { ...more, ...readsOf(pair) })
  const results = all as Results
  const { admin, baseInfo, quoteInfo, isin, symbol, issuer, authorized } = results
  const [base, quote] = [voiceWith('base_', results), voiceWith('quote_', results)]
  return {
    admin: admin.ok ? lowered(admin.value) : null,
    base: admissionOf(admissionIn(baseInfo), base),
    quote: admissionOf(admissionIn(quoteInfo), quote),
    baseDecimals: base.decimals,
    quoteDecimals: quote.decimals,
    isin: isin.ok && isin.value !== '' ? isin.value : null,
    symbol: symbol.ok ? symbol.value : null,
    issuer: issuer.ok && isAddress(issuer.value) ? lowered(issuer.value) : null,
    isAuthorized: authorized.ok ? authorized.value : null,
    more: all as NamedResults<M>,
  }
}

/** What the transactions of the steps must have done, by the keys of the steps. */
export const vaultProofs = ({ vault, base, quote }: VaultPair): Record<string, SetupProof> => ({
  baseToken: { pair: addToken, target: vault, expected: { token: base } },
  quoteToken: { pair: addToken, target: vault, expected: { token: quote } },
  tokenAuthorization: { pair: addAuthorizedContract, target: base, expected: { account: vault } },
})

/** The transactions that are left to sign. A token that no transaction could bring in is refused. */
export function vaultSteps({ vault, base, quote }: VaultPair, state: VaultState, isStock: boolean): SetupStep[] {
  const admission = (key: string, token: Address, verdict: AdmissionVerdict, code: AppCode): SetupStep[] => {
    if (verdict.state === 'ADMITTED') return []
    if (verdict.state === 'IMPOSSIBLE') throw new AppError(code, { detail: `The token ${token} ${verdict.why}.` })
    return [
      {
        key,
        call: addToken.prepare(vault, [token, verdict.rules, verdict.splits]),
        functionName: addToken.functionName,
        description: `Lets the vault take the token ${token}.`,
        requiredSigner: state.admin,
        requiredRole: 'VAULT_ADMIN',
      },
    ]
  }
  const authorization: SetupStep = {
    key: 'tokenAuthorization',
    call: addAuthorizedContract.prepare(base, [vault]),
    functionName: addAuthorizedContract.functionName,
    description: `Lets the vault hold shares of ${base} for others.`,
    requiredSigner: state.issuer,
    requiredRole: 'ISSUER',
  }
  return [
    ...admission('baseToken', base, state.base, 'BASE_TOKEN_NOT_SUPPORTED'),
    ...admission('quoteToken', quote, state.quote, 'QUOTE_TOKEN_NOT_SUPPORTED'),
    ...(isStock && state.isAuthorized === false ? [authorization] : []),
  ]
}
