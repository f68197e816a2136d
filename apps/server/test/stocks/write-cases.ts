import { planStockSuite } from '@tallystick/deployer'
import { wallet } from '@tallystick/testkit'
import { stocksOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { type StocksWorld, shares } from './stocks-world.ts'

const lower = (index: number) => wallet(index).address.toLowerCase() as Address
/** Investors that every case finds verified. */
export const anna = lower(3)
export const bert = lower(4)
/** Signs what tests send to tokens directly. */
const issuer = lower(0)
/** A wallet with a role, or one that is to get it. */
const agent = lower(5)
const until = 4_102_444_800
/** Any contract will do; this one stands at the same place on every test chain. */
const vault = planStockSuite({ owner: wallet(0).address }).suite.identityRegistry

/** One write of a stock token as tests go through it. */
export interface WriteCase {
  readonly operation: (typeof stocksOperations)[keyof typeof stocksOperations]
  readonly body: Record<string, unknown>
  /** What the relayer and the confirmation answer, beside hash and token. */
  readonly done: Record<string, unknown>
  readonly functionName: string
  readonly requiredRole: string | null
  /** What a build says beside the usual. */
  readonly built?: Record<string, unknown>
  /** A body that means something else than the transaction did; absent: the body says nothing that could. */
  readonly another?: Record<string, unknown>
  /** A body that cannot be understood. */
  readonly invalid?: Record<string, unknown>
  prepare?(world: StocksWorld, token: Address): Promise<unknown>
}

const issueTo = (account: Address, amount: number) => (world: StocksWorld, token: Address) =>
  world.onToken(token, 'issue', [account, shares(amount), `0x${'0'.repeat(64)}`])
const ISSUER = 'ISSUER'
const EITHER = 'ISSUER or SUB_ISSUER'

const accountCase = (
  operation: WriteCase['operation'],
  functionName: string,
  said: Record<string, unknown>,
  prepare?: WriteCase['prepare'],
): WriteCase => ({
  operation,
  functionName,
  requiredRole: ISSUER,
  body: { account: agent },
  done: { account: agent, ...said },
  another: { account: anna },
  invalid: { account: '0x12' },
  ...(prepare ? { prepare } : {}),
})

export const writeCases: readonly WriteCase[] = [
  {
    operation: stocksOperations.issueShares,
    functionName: 'issue',
    requiredRole: EITHER,
    body: { recipient: anna, amount: '12.5', reason: 'Capital increase' },
    done: { recipient: anna, amount: '12.5' },
    another: { recipient: bert },
    invalid: { amount: '0' },
  },
  {
    operation: stocksOperations.batchIssueShares,
    functionName: 'batchIssue',
    requiredRole: EITHER,
    body: { recipients: [anna, bert], amounts: ['10', '2.25'] },
    done: { recipientCount: 2, totalIssued: '12.25' },
    another: { recipients: [bert, anna] },
    invalid: { amounts: ['1', '0.0000000000000000001'] },
  },
  {
    operation: stocksOperations.redeemShares,
    functionName: 'redeemFrom',
    requiredRole: EITHER,
    body: { account: anna, amount: '4' },
    done: { account: anna, amount: '4' },
    another: { amount: '5' },
    invalid: { amount: '-1' },
    prepare: issueTo(anna, 10),
  },
  {
    operation: stocksOperations.splitStock,
    functionName: 'stockSplit',
    requiredRole: ISSUER,
    body: { numerator: 3, denominator: 2 },
    built: { holders: '1', holdersPerTransaction: 150, newTotalSupply: '15', steps: [] },
    done: { numerator: '3', denominator: '2', completed: true, holdersLeft: '0' },
    another: { numerator: 4 },
    invalid: { maxHolders: 0 },
    prepare: issueTo(anna, 10),
  },
  {
    operation: stocksOperations.continueSplit,
    functionName: 'continueSplit',
    requiredRole: null,
    body: { maxHolders: 10 },
    built: { holdersLeft: '1', holdersPerTransaction: 10 },
    done: { completed: true, holdersLeft: '0' },
    invalid: { maxHolders: 0 },
    async prepare(world, token) {
      await issueTo(anna, 10)(world, token)
      await issueTo(bert, 10)(world, token)
      await world.onToken(token, 'stockSplit', [2n, 1n, 1n])
    },
  },
  {
    operation: stocksOperations.freezeShares,
    functionName: 'freezeTokens',
    requiredRole: 'CONTROLLER',
    body: { account: anna, amount: '3' },
    done: { account: anna, amount: '3' },
    another: { account: bert },
    invalid: { amount: 'three' },
    prepare: issueTo(anna, 10),
  },
  {
    operation: stocksOperations.unfreezeShares,
    functionName: 'unfreezeTokens',
    requiredRole: 'CONTROLLER',
    body: { account: anna, amount: '3' },
    done: { account: anna, amount: '3' },
    another: { amount: '2' },
    invalid: { amount: '1e3' },
    async prepare(world, token) {
      await issueTo(anna, 10)(world, token)
      await world.onToken(token, 'freezeTokens', [anna, shares(5)])
    },
  },
  {
    operation: stocksOperations.forceTransferShares,
    functionName: 'forceTransfer',
    requiredRole: 'CONTROLLER',
    body: { from: anna, to: bert, amount: '3', reason: 'By order of the district court of Flensburg, 4 O 12/26' },
    done: { from: anna, to: bert, amount: '3' },
    another: { to: anna },
    invalid: { reason: '' },
    prepare: issueTo(anna, 10),
  },
  {
    operation: stocksOperations.releaseSurplus,
    functionName: 'releaseSurplus',
    requiredRole: ISSUER,
    body: { agent: issuer, account: anna, amount: '3' },
    done: { agent: issuer, account: anna, amount: '3' },
    another: { amount: '2' },
    invalid: { amount: '-3' },
    async prepare(world, token) {
      await issueTo(anna, 10)(world, token)
      await world.onToken(token, 'addAgent', [issuer])
      await world.onToken(token, 'freezePartialTokens', [anna, shares(4)])
      await world.onToken(token, 'stockSplit', [2n, 1n, 10n])
      await world.onToken(token, 'unfreezePartialTokens', [anna, shares(4)])
    },
  },
  {
    operation: stocksOperations.pauseStock,
    functionName: 'pause',
    requiredRole: ISSUER,
    body: {},
    done: { paused: true },
  },
  {
    operation: stocksOperations.unpauseStock,
    functionName: 'unpause',
    requiredRole: ISSUER,
    body: {},
    done: { paused: false },
    prepare: (world, token) => world.onToken(token, 'pause', []),
  },
  accountCase(stocksOperations.addController, 'addController', { role: 'CONTROLLER', action: 'granted' }),
  accountCase(
    stocksOperations.removeController,
    'removeController',
    { role: 'CONTROLLER', action: 'revoked' },
    (world, token) => world.onToken(token, 'addController', [agent]),
  ),
  accountCase(stocksOperations.addSubIssuer, 'addSubIssuer', { role: 'SUB_ISSUER', action: 'granted' }),
  accountCase(
    stocksOperations.removeSubIssuer,
    'removeSubIssuer',
    { role: 'SUB_ISSUER', action: 'revoked' },
    (world, token) => world.onToken(token, 'addSubIssuer', [agent]),
  ),
  {
    operation: stocksOperations.setSubIssuerCap,
    functionName: 'setSubIssuerCap',
    requiredRole: ISSUER,
    body: { account: agent, cap: '1000' },
    done: { account: agent, cap: '1000' },
    another: { cap: '0' },
    invalid: { cap: '-1' },
  },
  {
    operation: stocksOperations.allowSubIssuers,
    functionName: 'setSubIssuersAllowed',
    requiredRole: ISSUER,
    body: { allowed: false },
    done: { allowed: false },
    another: { allowed: true },
    invalid: { allowed: 'no' },
  },
  {
    operation: stocksOperations.announceIdentityRegistry,
    functionName: 'announceIdentityRegistry',
    requiredRole: ISSUER,
    body: { identityRegistry: vault },
    done: { identityRegistry: vault },
    another: { identityRegistry: anna },
    invalid: { identityRegistry: '0x12' },
  },
  {
    operation: stocksOperations.setIdentityRegistry,
    functionName: 'setIdentityRegistry',
    requiredRole: ISSUER,
    body: { identityRegistry: vault },
    done: { identityRegistry: vault },
    another: { identityRegistry: anna },
    invalid: { identityRegistry: '0x12' },
    async prepare(world, token) {
      await world.onToken(token, 'announceIdentityRegistry', [vault])
      await world.node.testClient.increaseTime({ seconds: 14 * 86_400 })
      await world.node.testClient.mine({ blocks: 1 })
    },
  },
  {
    ...accountCase(stocksOperations.addAuthorizedContract, 'addAuthorizedContract', { action: 'authorized' }),
    body: { account: vault },
    done: { account: vault, action: 'authorized' },
  },
  {
    ...accountCase(
      stocksOperations.removeAuthorizedContract,
      'removeAuthorizedContract',
      { action: 'removed' },
      (world, token) => world.onToken(token, 'addAuthorizedContract', [vault]),
    ),
    body: { account: vault },
    done: { account: vault, action: 'removed' },
  },
  {
    operation: stocksOperations.setHoldingLimits,
    functionName: 'setDefaultLimits',
    requiredRole: ISSUER,
    body: { maxHolding: '500', minHolding: '0.5' },
    done: { account: null, maxHolding: '500', minHolding: '0.5' },
    another: { maxHolding: '501' },
    invalid: { minHolding: 'x' },
  },
  {
    operation: stocksOperations.setLockup,
    functionName: 'setLockup',
    requiredRole: ISSUER,
    body: { account: anna, until },
    done: { account: anna, until },
    another: { until: until + 1 },
    invalid: { until: -1 },
  },
]
