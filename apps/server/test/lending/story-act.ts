import { transact, type Wallet } from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { expect } from 'vitest'
import { type LendingWorld, must, type Party } from './lending-world.ts'

interface Call {
  readonly to: Address
  readonly data: Hex
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Data = any

/** What was built, what its confirmation answered, and when it was mined. */
interface Acted {
  readonly built: Data
  readonly data: Data
  readonly txHash: Hex
  /** Chain time of the block that mined it. */
  readonly at: number
  /** Chain time of the block that the build looked at. */
  readonly foretoldAt: number
}

const callsOf = ({ steps, transaction }: Data): Call[] =>
  steps ? steps.map((step: Data) => step.transaction ?? step) : [transaction]

/** An act through the interface: built, foretold, signed with a wallet in the order that was said, and confirmed where it was said. */
export function createActing(world: LendingWorld) {
  const { node } = world

  async function timeOf(txHash: Hex): Promise<number> {
    const { blockNumber } = await node.publicClient.getTransactionReceipt({ hash: txHash })
    return Number((await node.publicClient.getBlock({ blockNumber })).timestamp)
  }

  /** With the gas that was said to be enough: a wallet's own estimate can miss what the insurance fund needs. */
  async function sendWith(account: Wallet, { to, data }: Call, gas: bigint): Promise<Hex> {
    return (await transact(node, account, { to, data, gas })).transactionHash
  }

  /** Signs all that was built; the hash that is to be reported. */
  async function signAll(account: Wallet, built: Data): Promise<Hex> {
    const reported = built.confirmStepIndex ?? 0
    let told: Hex = '0x'
    for (const [index, call] of callsOf(built).entries()) {
      const isReported = index === reported
      const hash =
        isReported && built.gasLimit !== undefined
          ? await sendWith(account, call, BigInt(built.gasLimit))
          : await world.sendRaw(account, call)
      if (isReported) told = hash
    }
    return told
  }

  return {
    timeOf,

    /** Whoever signs is not always of the instance that builds. Confirmed with what the build said, and nothing else. */
    async act(
      party: Party,
      path: string,
      body: Record<string, unknown> = {},
      { by = party.wallet }: { by?: Wallet } = {},
    ): Promise<Acted> {
      const answer = must(await party.post(path, body)).body
      const built = answer.data
      expect(built.simulation, path).toMatchObject({ simulated: true, success: true, revert: null })
      const txHash = await signAll(by, built)
      const { endpoint = path, body: named = {} } = built.confirmWith ?? {}
      const confirmed = must(await party.post(endpoint, { ...named, txHash }))
      const foretoldAt = answer.metadata.chainTime
      return { built, data: confirmed.body.data, txHash, at: await timeOf(txHash), foretoldAt }
    },
  }
}
