import type { Abi } from 'viem'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** What the event must say, as facts put it; what is undefined is not checked. */
export type Expected = Readonly<Record<string, string | boolean | undefined>>
export type StockCall = CallPair<readonly unknown[], Effect, Expected>

const matches = (effect: Effect, expected: Expected) =>
  Object.entries(expected).every(([name, value]) => value === undefined || effect[name] === value)

/** A function of the token that is proven by an event of the token. */
const stockCall = (functionName: string, eventName: string): StockCall =>
  contractCall<readonly unknown[], Expected>({
    kind: 'stock',
    abi: abis.stock,
    functionName,
    eventName,
    args: (values) => values,
    isFor: matches,
  })

/** A function of the token that its compliance module carries out, and whose event proves it. */
const complianceCall = (functionName: string, eventName: string): StockCall =>
  contractCall<readonly unknown[], Expected>({
    kind: 'stockCompliance',
    abi: [
      ...(abis.stock as Abi).filter(({ type }) => type === 'function'),
      ...abis.stockCompliance.filter(({ type }) => type === 'event'),
    ],
    functionName,
    eventName,
    args: (values) => values,
    isFor: matches,
  })

export const stockCalls = {
  issue: stockCall('issue', 'Issued'),
  batchIssue: stockCall('batchIssue', 'BatchIssueCompleted'),
  redeemFrom: stockCall('redeemFrom', 'Redeemed'),
  stockSplit: stockCall('stockSplit', 'SplitStarted'),
  continueSplit: stockCall('continueSplit', 'SplitContinued'),
  freezeTokens: stockCall('freezeTokens', 'TokensFrozen'),
  unfreezeTokens: stockCall('unfreezeTokens', 'TokensUnfrozen'),
  forceTransfer: stockCall('forceTransfer', 'ForceTransfer'),
  releaseSurplus: stockCall('releaseSurplus', 'SurplusReleased'),
  pause: stockCall('pause', 'Paused'),
  unpause: stockCall('unpause', 'Unpaused'),
  addController: stockCall('addController', 'ControllerUpdated'),
  removeController: stockCall('removeController', 'ControllerUpdated'),
  addSubIssuer: stockCall('addSubIssuer', 'SubIssuerUpdated'),
  removeSubIssuer: stockCall('removeSubIssuer', 'SubIssuerUpdated'),
  setSubIssuerCap: stockCall('setSubIssuerCap', 'SubIssuerCapUpdated'),
  setSubIssuersAllowed: stockCall('setSubIssuersAllowed', 'SubIssuersAllowed'),
  addAuthorizedContract: stockCall('addAuthorizedContract', 'AuthorizedContractAdded'),
  removeAuthorizedContract: stockCall('removeAuthorizedContract', 'AuthorizedContractRemoved'),
  setDefaultLimits: complianceCall('setDefaultLimits', 'DefaultLimitsSet'),
  setUserLimits: complianceCall('setUserLimits', 'UserLimitsSet'),
  setLockup: complianceCall('setLockup', 'LockupSet'),
} as const
