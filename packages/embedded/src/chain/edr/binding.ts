import { createRequire } from 'node:module'
import { installedEdr } from '../../platform-binaries.ts'

/** What this node uses of EDR's native module. Its package of types would bring the binaries of seven platforms along. */
interface Binding {
  EdrContext: new () => Context
  ContractDecoder: new () => object
  L1_CHAIN_TYPE: string
  PRAGUE: string
  MineOrdering: { Fifo: string }
  l1ProviderFactory(): object
  l1GenesisState(hardfork: number): GenesisAccount[]
  l1HardforkFromString(hardfork: string): number
}

interface Context {
  registerProviderFactory(chainType: string, factory: object): Promise<void>
  createProvider(
    chainType: string,
    config: object,
    logger: object,
    subscriber: object,
    decoder: object,
  ): Promise<Native>
}

interface Native {
  handleRequest(request: string): Promise<{ data: unknown }>
}

export interface GenesisAccount {
  address: Uint8Array
  balance?: bigint
  nonce?: bigint
  code?: Uint8Array
}

/** Asks the engine itself, past everything that this node adds. */
export type Ask = <Result>(method: string, params?: readonly unknown[]) => Promise<Result>

export interface Engine {
  ask: Ask
}

export interface EngineConfig {
  chainId: number
  blockGasLimit: bigint
  /** Private keys of the accounts that the node signs for. */
  ownedAccounts: readonly string[]
  /** A new chain, or one that goes on after a block which the archive at that address serves. */
  begin:
    | { genesis: GenesisAccount[]; time: number }
    | {
        archiveUrl: string
        block: bigint
        /** Where the engine keeps what the archive answered. It does not begin without. */
        answersFolder: string
      }
}

export interface Edr {
  /** The contracts that a chain of this hardfork begins with. */
  systemContracts(): GenesisAccount[]
  createEngine(config: EngineConfig): Promise<Engine>
}

/** EDR takes no second context in one process. */
export async function loadEdr(): Promise<Edr> {
  const binding = createRequire(import.meta.url)(installedEdr()) as Binding
  const context = new binding.EdrContext()
  await context.registerProviderFactory(binding.L1_CHAIN_TYPE, binding.l1ProviderFactory())
  const hardfork = binding.PRAGUE

  function networkOf({ begin, chainId, blockGasLimit }: EngineConfig): object {
    if ('genesis' in begin) return { genesisBlockGasLimit: blockGasLimit, genesisBlockTime: BigInt(begin.time) }
    const always = [{ condition: { blockNumber: 0n }, hardfork }]
    return {
      url: begin.archiveUrl,
      cacheDir: begin.answersFolder,
      blockNumber: begin.block,
      chainOverrides: [{ chainId: BigInt(chainId), name: 'tallystick', hardforkActivationOverrides: always }],
    }
  }

  return {
    systemContracts: () => binding.l1GenesisState(binding.l1HardforkFromString(hardfork)),
    async createEngine(config) {
      const provider = await context.createProvider(
        binding.L1_CHAIN_TYPE,
        {
          // Otherwise a burst of transactions, each in a block of its own, would run ahead of the clock.
          allowBlocksWithSameTimestamp: true,
          allowUnlimitedContractSize: false,
          bailOnCallFailure: true,
          bailOnTransactionFailure: false,
          chainId: BigInt(config.chainId),
          networkId: BigInt(config.chainId),
          coinbase: new Uint8Array(20),
          defaultTransactionGasLimit: config.blockGasLimit,
          genesisState: 'genesis' in config.begin ? config.begin.genesis : [],
          hardfork,
          initialBaseFeePerGas: 1_000_000_000n,
          initialParentBeaconBlockRoot: new Uint8Array(32),
          minGasPrice: 0n,
          // When to mine is decided by this node, not by the engine.
          mining: {
            autoMine: false,
            blockGasLimit: config.blockGasLimit,
            memPool: { order: binding.MineOrdering.Fifo },
          },
          network: networkOf(config),
          observability: {},
          ownedAccounts: config.ownedAccounts,
          precompileOverrides: [],
        },
        { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
        { subscriptionCallback: () => undefined },
        new binding.ContractDecoder(),
      )
      return { ask: asker(provider) }
    },
  }
}

export class EngineRefusal extends Error {
  override name = 'EngineRefusal'
  readonly code: number
  /** What the engine adds to its sentence: for a revert, an object with the data that the contract returned. */
  readonly details: unknown

  constructor(error: { code: number; message: string; data?: unknown }) {
    super(error.message)
    this.code = error.code
    this.details = error.data
  }
}

interface Answer {
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

function asker(provider: Native): Ask {
  let id = 0
  return async <Result>(method: string, params: readonly unknown[] = []) => {
    const request = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
    const { data } = await provider.handleRequest(request)
    const answer = (typeof data === 'string' ? JSON.parse(data) : data) as Answer
    if (answer.error) throw new EngineRefusal(answer.error)
    return answer.result as Result
  }
}
