import { demoCashAbi, demoCashBytecode, signedOrderSettlementAbi, tradingVaultAbi } from '@tallystick/abi'
import { deploy, send, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { expect } from 'vitest'
import { must } from '../signing.ts'
import type { TestAnswer } from '../world.ts'
import type { OnchainWorld } from './onchain-world.ts'

export function expectRefusal({ status, body }: TestAnswer, expected: number, error: Record<string, unknown>): void {
  expect([status, body.error]).toMatchObject([expected, error])
}

export interface SetupAnswer {
  readonly key: string
  readonly to: Address
  readonly data: Hex
  readonly requiredSigner: Address | null
  readonly requiredRole: string
}

/** The steps that a 409 asks for, whose signer is the world's owner in every case. */
export const stepsOf = (answer: TestAnswer): SetupAnswer[] => {
  expectRefusal(answer, 409, { code: 'CUSTODY_SETUP_REQUIRED' })
  return answer.body.error.setup.steps
}

/** Signs and sends the steps; their hashes by key. */
export async function signSteps(world: OnchainWorld, steps: readonly SetupAnswer[]): Promise<Record<string, Hex>> {
  const hashes: Record<string, Hex> = {}
  for (const { key, to, data } of steps) hashes[key] = await world.sendRaw(world.owner.wallet, { to, data })
  return hashes
}

export const newCash = async ({ node, owner }: OnchainWorld, decimals = 6): Promise<Address> => {
  const args = ['Other Dollar', 'OUSD', decimals, owner.wallet.address]
  return (await deploy(node, { abi: demoCashAbi, bytecode: demoCashBytecode, args })).toLowerCase() as Address
}

/** Of the owner's, deployed through the interface; imported as a security at once. */
export async function newStock({ owner, sendRaw }: OnchainWorld, symbol: string, isin: string): Promise<Address> {
  const path = '/stocks/api/tokenization/deploy'
  const body = { name: `${symbol} AG`, symbol, isin, issuerAddress: owner.wallet.address }
  const txHash = await sendRaw(owner.wallet, must(await owner.post(path, body)).body.data.txData)
  return must(await owner.post(path, { ...body, txHash })).body.data.tokenAddress
}

/** Hashes that prove nothing for a step at this contract, with the codes they get. */
export async function hashesThatProveNothing(
  world: OnchainWorld,
  target: 'stockVault' | 'commodityVault' | 'settlement',
) {
  const { node, suite, tokens } = world
  const vault = target === 'commodityVault' ? suite.commodityVault : suite.stockVault
  const onVault = { address: vault, abi: tradingVaultAbi, args: [true], functionName: 'setAutoCommit' }
  const elsewhere = { address: tokens.cash, abi: demoCashAbi, functionName: 'approve', args: [suite.stockVault, 1n] }
  const another =
    target !== 'settlement'
      ? { ...onVault, functionName: 'addToken', args: [await newCash(world), 0, false] }
      : {
          ...{ address: suite.signedOrderSettlement, abi: signedOrderSettlementAbi, functionName: 'setOperator' },
          args: [tokens.security, wallet(8).address, true],
        }
  const otherFunction =
    target !== 'settlement'
      ? onVault
      : { ...another, functionName: 'setFeeRecipient', args: [tokens.security, wallet(9).address] }
  const data = encodeFunctionData({ abi: demoCashAbi, functionName: 'transfer', args: [tokens.cash, 1n] })
  const failed = await node.walletClient.sendTransaction({ account: wallet(8), to: tokens.cash, data, gas: 200_000n })
  await node.publicClient.waitForTransactionReceipt({ hash: failed })
  return [
    [`0x${'0'.repeat(63)}1`, 404, 'TX_NOT_FOUND'],
    [(await send(node, elsewhere)).transactionHash, 400, 'TX_WRONG_TARGET'],
    [failed, 400, 'TX_REVERTED'],
    [(await send(node, otherFunction)).transactionHash, 400, 'TX_WRONG_FUNCTION'],
    [(await send(node, another)).transactionHash, 400, 'TX_NOT_VERIFIED'],
  ] as const
}
