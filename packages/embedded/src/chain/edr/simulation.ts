import type { Ask } from './binding.ts'
import { type Hex, toHex } from './hex.ts'
import { invalidParams } from './rpc-fault.ts'
import type { RpcBlock } from './stored-block.ts'
import type { Tip } from './tip.ts'

interface SimulatedCalls {
  blockOverrides?: { time?: Hex }
  calls?: { from?: Hex; gas?: Hex }[]
}

interface SentCall {
  hash: Hex
  gas: Hex
}

interface Receipt {
  status: Hex
  gasUsed: Hex
  logs: object[]
}

/** No transaction may use more (EIP-7825). */
const MOST_GAS = 16_777_216n
const nobody: Hex = `0x${'0'.repeat(40)}`

interface SimulationParts {
  ask: Ask
  tip: Tip
  blockGasLimit: bigint
}

/** The engine has no simulation of its own: real blocks are mined on a snapshot, while nobody else looks, and taken back. */
export function createSimulation({ ask, tip, blockGasLimit }: SimulationParts) {
  async function onSnapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    const snapshot = await ask<Hex>('evm_snapshot')
    try {
      await tip.dropPending()
      return await work()
    } finally {
      await ask('evm_revert', [snapshot])
    }
  }

  async function outputOf(hash: Hex): Promise<Hex> {
    const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
    const { output = '0x' } = await ask<{ output?: Hex }>('debug_traceTransaction', [hash, options])
    return output
  }

  async function outcomeOf({ hash, gas }: SentCall): Promise<object> {
    const { status, gasUsed, logs } = await ask<Receipt>('eth_getTransactionReceipt', [hash])
    // A trace runs it again, and what ran out of gas is the costliest and returned nothing.
    const output = BigInt(gasUsed) === BigInt(gas) ? '0x' : await outputOf(hash)
    const outcome = { status, gasUsed, returnData: output, logs }
    return status === '0x1' ? outcome : { ...outcome, error: { code: 3, message: 'execution reverted', data: output } }
  }

  /** `eth_simulateV1`, of which this project uses the time of a block and calls without validation. */
  function simulate(payload: unknown): Promise<object[]> {
    const { blockStateCalls } = (payload ?? {}) as { blockStateCalls?: SimulatedCalls[] }
    if (!Array.isArray(blockStateCalls)) throw invalidParams('blockStateCalls is missing')
    return onSnapshot(async () => {
      const blocks: object[] = []
      // Signed for as ever: an account that was impersonated is not signed for any more, and no other node would take what it sends later.
      const own = await ask<Hex[]>('eth_accounts')
      let time = tip.time()
      for (const { blockOverrides = {}, calls = [] } of blockStateCalls) {
        const sent: SentCall[] = []
        const equal = blockGasLimit / BigInt(calls.length || 1)
        const share = equal < MOST_GAS ? equal : MOST_GAS
        await ask('hardhat_setNextBlockBaseFeePerGas', ['0x0'])
        for (const call of calls) {
          const from = call.from ?? nobody
          const gas = call.gas ?? toHex(share)
          if (!own.includes(String(from).toLowerCase() as Hex)) await ask('hardhat_impersonateAccount', [from])
          const hash = await ask<Hex>('eth_sendTransaction', [{ ...call, from, gas, gasPrice: '0x0' }])
          sent.push({ hash, gas })
        }
        time = Math.max(Number(blockOverrides.time ?? time + 1), time + 1)
        await ask('evm_mine', [toHex(time)])
        const block = await ask<RpcBlock>('eth_getBlockByNumber', ['latest', false])
        blocks.push({ ...block, calls: await Promise.all(sent.map(outcomeOf)) })
      }
      return blocks
    })
  }

  /** A call as if a block had just been mined at that second. */
  function callAt(time: number, call: unknown, overrides: unknown): Promise<Hex> {
    return onSnapshot(async () => {
      if (time > tip.time()) await ask('evm_mine', [toHex(time)])
      return ask<Hex>('eth_call', [call, 'latest', overrides ?? {}])
    })
  }

  return { simulate, callAt }
}
