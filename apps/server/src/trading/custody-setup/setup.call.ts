import { stockTokenAbi } from '@tallystick/abi'
import { type Abi, parseAbi } from 'viem'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** What the event must say. */
type Expected = Readonly<Record<string, string | boolean>>
export type SetupCall = CallPair<readonly unknown[], Effect, Expected>

/** Any token of ERC-3643. */
const agentAbi = parseAbi(['function addAgent(address agent)', 'event AgentAdded(address indexed agent)'])

const setupCall = (kind: string, abi: Abi, functionName: string, eventName: string): SetupCall =>
  contractCall<readonly unknown[], Expected>({
    kind,
    abi,
    functionName,
    eventName,
    args: (values) => values,
    isFor: (effect, expected) => Object.entries(expected).every(([name, value]) => effect[name] === value),
  })

export const addToken = setupCall('tradingVault', abis.tradingVault, 'addToken', 'TokenAdded')
export const addAuthorizedContract = setupCall(
  'stock',
  stockTokenAbi,
  'addAuthorizedContract',
  'AuthorizedContractAdded',
)
export const addAgent = setupCall('securityToken', agentAbi, 'addAgent', 'AgentAdded')

const onSettlement = (functionName: string, eventName: string) =>
  setupCall('signedOrderSettlement', abis.signedOrderSettlement, functionName, eventName)

export const registerSecurity = onSettlement('registerSecurity', 'SecurityRegistered')
export const setQuoteAsset = onSettlement('setQuoteAsset', 'QuoteAssetSet')
export const setOperator = onSettlement('setOperator', 'OperatorSet')
