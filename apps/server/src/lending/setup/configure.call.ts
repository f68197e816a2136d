import type { ConfigureAction } from '@tallystick/wire'
import { type Abi, type Address, encodeFunctionData, keccak256, parseAbi, toHex } from 'viem'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** Whom a configuring call is about. */
export interface ConfigureSubject {
  readonly subject: Address
  /** For the register: whose identity, and the country it is registered with. */
  readonly identity?: Address
  readonly country?: number
}

type ConfigureCall = CallPair<ConfigureSubject, Effect, ConfigureSubject>

const LIQUIDATOR_ROLE = keccak256(toHex('LIQUIDATOR_ROLE'))
const sameAccount = (value: unknown, subject: Address) => String(value).toLowerCase() === subject

const grantLiquidator: ConfigureCall = contractCall({
  kind: 'market',
  abi: abis.market,
  functionName: 'grantRole',
  eventName: 'RoleGranted',
  args: ({ subject }) => [LIQUIDATOR_ROLE, subject],
  isFor: ({ role, account }, { subject }) => role === LIQUIDATOR_ROLE && account === subject,
})

const setFund: ConfigureCall = contractCall({
  kind: 'market',
  abi: abis.market,
  functionName: 'setInsuranceFund',
  eventName: 'InsuranceFundUpdated',
  args: ({ subject }) => [subject],
  isFor: ({ newFund }, { subject }) => newFund === subject,
})

const authorizeOnRouter: ConfigureCall = contractCall({
  kind: 'router',
  abi: abis.router,
  functionName: 'authorizeLendingMarket',
  eventName: 'LendingMarketAuthorized',
  args: ({ subject }) => [subject, true],
  isFor: ({ source, isAuthorized }, { subject }) => source === subject && isAuthorized === true,
})

const authorizeSigner: ConfigureCall = contractCall({
  kind: 'oracle',
  abi: abis.oracle,
  functionName: 'setAuthorizedSigner',
  eventName: 'SignerSet',
  args: ({ subject }) => [subject, true],
  isFor: ({ signer, isAuthorized }, { subject }) => signer === subject && isAuthorized === true,
})

const tokenAbi = parseAbi(['function addAgent(address agent)', 'function addAuthorizedContract(address account)'])
const registryAbi = parseAbi([
  'function registerIdentity(address wallet, address identity, uint16 country)',
  'function updateIdentity(address wallet, address identity)',
])

/** A call of a contract that is not ours: what it did is read from its state, since its events are its own affair. */
function foreignCall(
  abi: Abi,
  functionName: string,
  args: (subject: ConfigureSubject) => readonly unknown[],
): ConfigureCall {
  return {
    operation: `token.${functionName}`,
    abi,
    functionName,
    prepare: (to, subject) => ({ to, data: encodeFunctionData({ abi, functionName, args: args(subject) }), value: 0n }),
    settle: () => [],
    isCallFor: ([account], { subject }) => sameAccount(account, subject),
    isFor: () => false,
  }
}

const addAgent = foreignCall(tokenAbi, 'addAgent', ({ subject }) => [subject])
const addAuthorized = foreignCall(tokenAbi, 'addAuthorizedContract', ({ subject }) => [subject])
const register = foreignCall(registryAbi, 'registerIdentity', ({ subject, identity = subject, country = 0 }) => [
  subject,
  identity,
  country,
])
const update = foreignCall(registryAbi, 'updateIdentity', ({ subject, identity = subject }) => [subject, identity])

interface ActionCalls {
  /** The kind of our own contract that emits the proof; null: not ours. */
  readonly kind: 'market' | 'router' | 'oracle' | null
  /** Any of them does it; the first is what is built, the second where the holder is registered already. */
  readonly calls: readonly [ConfigureCall, ...ConfigureCall[]]
}

const verify: ActionCalls = { kind: null, calls: [register, update] }
const authorize: ActionCalls = { kind: null, calls: [addAuthorized] }

export const actionCalls: Readonly<Record<ConfigureAction, ActionCalls>> = {
  grantAgentRoleToAdapter: { kind: null, calls: [addAgent] },
  authorizeAdapterOnToken: authorize,
  authorizeRouterOnToken: authorize,
  authorizeVenueOnToken: authorize,
  verifyAdapterAsHolder: verify,
  verifyRouterAsHolder: verify,
  verifyVenueAsHolder: verify,
  authorizeRelayerOnOracle: { kind: 'oracle', calls: [authorizeSigner] },
  grantLiquidatorRole: { kind: 'market', calls: [grantLiquidator] },
  authorizeOnRouter: { kind: 'router', calls: [authorizeOnRouter] },
  setInsuranceFund: { kind: 'market', calls: [setFund] },
}

/** What has to be signed: a holder that the register knows already gets another identity instead of a second entry. */
export function callFor(action: ConfigureAction, isRegistered: boolean): ConfigureCall {
  const [first, second] = actionCalls[action].calls
  return isRegistered && second ? second : first
}
