import { type Address, parseAbi } from 'viem'
import type { ChainClients } from '../chain/test-chain.ts'
import { send } from '../chain/transactions.ts'
import { type Wallet, wallet } from '../chain/wallet.ts'
import {
  addSignedClaim,
  type ClaimIssuer,
  deployClaimIssuer,
  deployIdentity,
  deployIdentityAuthority,
} from './onchain-id.ts'
import { deployTrexContracts, type TrexContracts, type TrexTokenDetails } from './trex-contracts.ts'

export const trexTokenAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TokensFrozen(address indexed _userAddress, uint256 _amount)',
  'event TokensUnfrozen(address indexed _userAddress, uint256 _amount)',
  'event AddressFrozen(address indexed _userAddress, bool indexed _isFrozen, address indexed _owner)',
  'function balanceOf(address holder) view returns (uint256)',
  'function getFrozenTokens(address holder) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function transferFrom(address from, address to, uint256 amount) returns (bool)',
  'function mint(address to, uint256 amount)',
  'function burn(address holder, uint256 amount)',
  'function forcedTransfer(address from, address to, uint256 amount) returns (bool)',
  'function freezePartialTokens(address holder, uint256 amount)',
  'function unfreezePartialTokens(address holder, uint256 amount)',
  'function setAddressFrozen(address holder, bool freeze)',
  'function pause()',
  'function unpause()',
  'function addAgent(address agent)',
])

const registryAbi = parseAbi([
  'function addAgent(address agent)',
  'function addClaimTopic(uint256 topic)',
  'function addTrustedIssuer(address issuer, uint256[] topics)',
  'function bindIdentityRegistry(address registry)',
  'function registerIdentity(address holder, address identity, uint16 country)',
  'function deleteIdentity(address holder)',
])

/** The topic that every holder must have a claim for: "knows its customer". */
const claimTopic = 1n
const defaultCountry = 276

export interface Trex extends TrexContracts {
  claimIssuer: ClaimIssuer
  /** Owns every contract of the suite; also the first agent. */
  owner: Wallet
  /**
   * Gives an address an identity with a signed claim and registers it. The address may be a contract; `manager`
   * controls its identity and pays for it.
   */
  registerHolder(holder: Address, options?: { country?: number; manager?: Wallet }): Promise<Address>
  unregisterHolder(holder: Address): Promise<void>
  mint(holder: Address, amount: bigint): Promise<void>
  /** Agents may mint, freeze and force transfers. */
  addAgent(agent: Address): Promise<void>
}

/** The whole ERC-3643 suite with one token, deployed and owned by the first dev account, not paused. */
export async function deployTrex(chain: ChainClients, details: Partial<TrexTokenDetails> = {}): Promise<Trex> {
  const owner = wallet(0)
  const contracts = await deployTrexContracts(chain, { name: 'Example Share', symbol: 'EXS', decimals: 18, ...details })
  const { token, identityRegistry } = contracts
  const identityAuthority = await deployIdentityAuthority(chain)
  const claimIssuer = await deployClaimIssuer(chain, owner, wallet(9))

  const registry = (address: Address, functionName: string, ...args: unknown[]) =>
    send(chain, { address, abi: registryAbi, functionName, args })
  const onToken = (functionName: string, ...args: unknown[]) =>
    send(chain, { address: token, abi: trexTokenAbi, functionName, args })

  async function addAgent(agent: Address): Promise<void> {
    await onToken('addAgent', agent)
    await registry(identityRegistry, 'addAgent', agent)
  }

  await registry(contracts.identityRegistryStorage, 'bindIdentityRegistry', identityRegistry)
  await registry(contracts.claimTopicsRegistry, 'addClaimTopic', claimTopic)
  await registry(contracts.trustedIssuersRegistry, 'addTrustedIssuer', claimIssuer.address, [claimTopic])
  // The token registers the new wallet itself when lost tokens are recovered.
  await registry(identityRegistry, 'addAgent', token)
  await addAgent(owner.address)
  await onToken('unpause')

  return {
    ...contracts,
    claimIssuer,
    owner,
    addAgent,
    async registerHolder(holder, { country = defaultCountry, manager = owner } = {}) {
      const identity = await deployIdentity(chain, identityAuthority, manager)
      await addSignedClaim(chain, { identity, manager, issuer: claimIssuer, topic: claimTopic })
      await registry(identityRegistry, 'registerIdentity', holder, identity, country)
      return identity
    },
    async unregisterHolder(holder) {
      await registry(identityRegistry, 'deleteIdentity', holder)
    },
    async mint(holder, amount) {
      await onToken('mint', holder, amount)
    },
  }
}
