import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex, toHex } from 'viem'

/** Under the most that one transaction may use. */
const gasPerTransaction = toHex(12_000_000)
/** Of a market with hundreds of loans, all figures in one call: more than a node lends to a call that names none. */
const gasPerRead = toHex(500_000_000)

interface Answer<Result> {
  id: number
  result?: Result
  error?: { message: string }
}

interface Receipt {
  status: Hex
  blockTimestamp: Hex | number
  transactionHash: Hex
  contractAddress: Address | null
}

export interface Transaction {
  from: Address
  to?: Address
  data: Hex
  /** Seconds; the second in which it is mined. */
  at: bigint
}

export type Chain = ReturnType<typeof createChain>

/** A node that signs for its own accounts and mines every transaction in a block of its own. */
export function createChain(url: string) {
  let id = 0

  async function post<Answers>(body: unknown): Promise<Answers> {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Answers
  }

  function request(method: string, params: unknown[]) {
    return { jsonrpc: '2.0', id: ++id, method, params }
  }

  function resultOf<Result>(method: string, answer: Answer<Result> | undefined): Result {
    if (!answer || answer.error) throw new Error(`${method}: ${answer?.error?.message ?? 'no answer'}`)
    return answer.result as Result
  }

  async function rpc<Result>(method: string, params: unknown[]): Promise<Result> {
    return resultOf(method, await post<Answer<Result>>(request(method, params)))
  }

  async function transact({ from, to, data, at }: Transaction): Promise<Receipt> {
    const send = request('eth_sendTransactionSync', [{ from, to, data, gas: gasPerTransaction }])
    const answers = await post<Answer<Receipt>[]>([request('evm_setNextBlockTimestamp', [toHex(at)]), send])
    const receipt = resultOf(
      'eth_sendTransactionSync',
      answers.find((answer) => answer.id === send.id),
    )
    if (BigInt(receipt.blockTimestamp) !== at) throw new Error(`Mined at ${receipt.blockTimestamp} instead of ${at}`)
    return receipt
  }

  async function deploy(from: Address, at: bigint, code: Hex, abi: Abi, args: readonly unknown[]): Promise<Address> {
    const data = abi.some((item) => item.type === 'constructor')
      ? encodeDeployData({ abi, bytecode: code, args })
      : code
    const { status, contractAddress } = await transact({ from, data, at })
    if (status !== '0x1' || !contractAddress) throw new Error('A contract was not created')
    return contractAddress
  }

  async function send(
    from: Address,
    at: bigint,
    call: { to: Address; abi: Abi; functionName: string; args: readonly unknown[] },
  ): Promise<void> {
    const { status } = await transact({ from, to: call.to, data: encodeFunctionData(call), at })
    if (status !== '0x1') throw new Error(`${call.functionName} reverted while the market was set up`)
  }

  /** As if the latest block had been mined at the given second. */
  function callAt(to: Address, data: Hex, at: bigint): Promise<Hex> {
    return rpc<Hex>('eth_call', [{ to, data, gas: gasPerRead }, 'latest', {}, { time: toHex(at) }])
  }

  /** The return data of a transaction, for the reason of its revert. */
  async function returnDataOf(hash: Hex): Promise<Hex> {
    const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
    const trace = await rpc<{ output?: Hex }>('debug_traceTransaction', [hash, options])
    return trace.output ?? '0x'
  }

  return { rpc, transact, deploy, send, callAt, returnDataOf }
}
