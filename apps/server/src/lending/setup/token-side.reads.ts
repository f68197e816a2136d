import { type Address, parseAbi, zeroAddress } from 'viem'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import type { Market } from '../core/index.rules.ts'

const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function identityRegistry() view returns (address)',
  'function isAgent(address) view returns (bool)',
  'function getFrozenTokens(address) view returns (uint256)',
  'function owner() view returns (address)',
  'function isAuthorizedContract(address) view returns (bool)',
  'function isIssuer(address) view returns (bool)',
])

const registryAbi = parseAbi([
  'function isVerified(address) view returns (bool)',
  'function contains(address) view returns (bool)',
  'function topicsRegistry() view returns (address)',
  'function isAgent(address) view returns (bool)',
])

const topicsAbi = parseAbi(['function getClaimTopics() view returns (uint256[])'])
const identityAbi = parseAbi(['function getClaimIdsByTopic(uint256) view returns (bytes32[])'])

/** What is asked about: it is known only once the token has answered, so it is guessed first and then compared. */
export interface TokenGuess {
  readonly registry: Address | null
  readonly venue: Address | null
}

type TokenOf = Pick<Market, 'collateralToken' | 'adapter' | 'router'>

/** Everything that the collateral token and its register say about the contracts of a market. */
export function tokenSideReads(market: TokenOf, { registry, venue }: TokenGuess, wallets: readonly Address[]) {
  const { collateralToken: token, adapter, router } = market
  const holders = [adapter, router, ...(venue ? [venue] : [])]
  const ofRegistry = (name: 'isVerified' | 'contains' | 'isAgent', accounts: readonly Address[]) =>
    registry ? accounts.map((account) => contractRead(registry, registryAbi, name, [account])) : []
  return {
    tokenBalance: contractRead(token, tokenAbi, 'balanceOf', [adapter]),
    tokenRegistry: contractRead(token, tokenAbi, 'identityRegistry', []),
    tokenOwner: contractRead(token, tokenAbi, 'owner', []),
    // A token with several administrators names one as its owner.
    tokenIssuers: wallets.map((wallet) => contractRead(token, tokenAbi, 'isIssuer', [wallet])),
    adapterIsAgent: contractRead(token, tokenAbi, 'isAgent', [adapter]),
    frozen: contractRead(token, tokenAbi, 'getFrozenTokens', [adapter]),
    allowListed: holders.map((holder) => contractRead(token, tokenAbi, 'isAuthorizedContract', [holder])),
    verified: ofRegistry('isVerified', holders),
    registered: ofRegistry('contains', holders),
    claimTopics: registry ? [contractRead(registry, registryAbi, 'topicsRegistry', [])] : [],
    registryAgents: ofRegistry('isAgent', wallets),
  } as const
}

type TokenSideResults = NamedResults<ReturnType<typeof tokenSideReads>>

/** What the token side says about one contract that has to hold collateral. Null: it could not be read. */
export interface HolderStatus {
  readonly verified: boolean | null
  readonly registered: boolean | null
  readonly allowListed: boolean | null
}

export interface TokenSide {
  /** False: whatever stands there does not answer as a token. */
  readonly answers: boolean
  readonly registry: Address | null
  /** The register wants claims of an identity contract; its register of topics. Null: registered is enough. */
  readonly claimTopics: Address | null
  readonly hasAllowList: boolean
  /** Who administers the token: the wallet of the instance that does, else whom the token names as its owner. */
  readonly owner: Address | null
  readonly canFreeze: boolean
  readonly adapterIsAgent: boolean | null
  /** The wallet of the instance that is an agent of the register; undefined: none is; null: could not be read. */
  readonly registryAgent: Address | null | undefined
  readonly adapter: HolderStatus
  readonly router: HolderStatus
  readonly venue: HolderStatus | null
}

const known = <T>(result: ReadResult<T> | undefined): T | null => (result?.ok ? result.value : null)
const lower = (address: Address | null) =>
  address === null || address === zeroAddress ? null : (address.toLowerCase() as Address)

/** The register that the token names now; one that does not say keeps the register that was known. */
export function registryNow(results: TokenSideResults, guess: TokenGuess): Address | null {
  return results.tokenRegistry.ok ? lower(results.tokenRegistry.value) : guess.registry
}

export function tokenSide(results: TokenSideResults, guess: TokenGuess, wallets: readonly Address[]): TokenSide {
  const status = (index: number): HolderStatus => ({
    verified: known(results.verified[index]),
    registered: known(results.registered[index]),
    allowListed: known(results.allowListed[index]),
  })
  const agents = results.registryAgents
  const issuer = wallets.find((_, index) => known(results.tokenIssuers[index]) === true)
  const agent = wallets.find((_, index) => known(agents[index]) === true)
  return {
    answers: results.tokenBalance.ok,
    registry: guess.registry,
    claimTopics: lower(known(results.claimTopics[0])),
    hasAllowList: results.allowListed[0]?.ok === true,
    owner: issuer ?? lower(known(results.tokenOwner)),
    canFreeze: results.adapterIsAgent.ok || results.frozen.ok,
    adapterIsAgent: known(results.adapterIsAgent),
    registryAgent: agent ?? (agents.some(({ ok }) => !ok) ? null : undefined),
    adapter: status(0),
    router: status(1),
    venue: guess.venue ? status(2) : null,
  }
}

export const claimTopicsRead = (topics: Address) => contractRead(topics, topicsAbi, 'getClaimTopics', [])

/** An identity contract tells which claims it holds on a topic. */
export const claimsRead = (identity: Address, topic: bigint) =>
  contractRead(identity, identityAbi, 'getClaimIdsByTopic', [topic])
