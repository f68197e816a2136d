import {
  DEPLOYMENT_PROXY,
  implementationKinds,
  implementationNames,
  missingSteps,
  type Plan,
  PlanError,
  planImplementations,
  planLendingSuite,
  planStockSuite,
  planTradingSuite,
  readServed,
  readVersion,
  type ServedKind,
  type Step,
  serveStep,
  stockKinds,
  type TradingRequest,
} from '@tallystick/deployer'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { type AppCode, AppError } from '../platform/app-error.ts'
import { corroborate } from '../platform/chain/agreement.ts'
import type { Chain } from '../platform/chain/chain.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { chainView } from './chain-view.ts'
import { committedCreations } from './committed-creations.ts'
import { callView, codeAt, implementationBehind, standsAsCreated } from './contract-code.reads.ts'
import { contractNamed } from './contract-names.ts'
import * as store from './deployments.store.ts'
import { knownCode } from './known-code.ts'
import { recordContracts } from './record-contracts.ts'
import { findStanding } from './record-standing.ts'

const belongingAbi = parseAbi(['function factory() view returns (address)'])

const refuse = (code: AppCode, detail: string) => new AppError(code, { detail })

/** Plans know nothing of the codes here. */
async function planned<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof PlanError)) throw cause
    throw new AppError('PLAN_REFUSED', { detail: cause.message, cause })
  }
}

const kinds: readonly ServedKind[] = [...implementationKinds, ...stockKinds]

function requireKind(text: string): ServedKind {
  const kind = kinds.find((known) => known === text)
  if (!kind) throw refuse('UNKNOWN_KIND', `There is no kind called ${text}. Known: ${kinds.join(', ')}.`)
  return kind
}

type Factory = 'LendingFactory' | 'StockFactory'

/** The command that deploys a factory. */
const suiteOf: Readonly<Record<Factory, string>> = { LendingFactory: 'lending', StockFactory: 'stocks' }
const factoryOf = (kind: ServedKind): Factory =>
  stockKinds.some((one) => one === kind) ? 'StockFactory' : 'LendingFactory'

/** Contracts that belong together: what is left to sign, and, when nothing is, the record of where they stand. */
export function createSuitesService(database: Database, { clock }: { clock: Clock }) {
  const listContracts = (chain: Chain) =>
    database.as('tally_operator', async (sql) => [...(await store.listContracts(sql, chain.chainId))])

  async function requireFactory(chain: Chain, wanted: Factory): Promise<Address> {
    const factory = (await listContracts(chain)).find(({ name }) => name === wanted)
    if (!factory)
      throw refuse('NO_FACTORY', `No ${wanted} is on record for this chain: deploy ${suiteOf[wanted]} first.`)
    return factory.address
  }

  /** A proxy that stands already must run what the plan put behind it. */
  async function requireBehind(chain: Chain, proxy: Address, implementation: Address): Promise<void> {
    if ((await codeAt(chain, proxy)) === '0x') return
    const behind = await implementationBehind(chain, proxy)
    if (behind !== implementation)
      throw refuse('NOT_THIS_CONTRACT', `The proxy ${proxy} runs ${behind}, not ${implementation}.`)
  }

  /** Another one that is on record is not forgotten by mistake. */
  async function requireSame(chain: Chain, wanted: string, address: Address, advice: string): Promise<void> {
    const recorded = (await listContracts(chain)).find(({ name }) => name === wanted)
    if (recorded && recorded.address !== address)
      throw refuse(
        'OTHER_FACTORY',
        `The ${wanted} on record is ${recorded.address}, this would be another one, ${address}: ${advice}say --replace.`,
      )
  }

  async function carriedOut(chain: Chain, plan: Pick<Plan, 'steps' | 'contracts'>) {
    const missing = await missingSteps(plan, chainView(chain))
    return missing.length > 0 ? unsigned(chain, missing) : recordPlan(chain, plan)
  }

  const unsigned = (chain: Chain, steps: readonly Step[]) => ({
    missing: steps.map(({ to, data, description, signer }) => ({
      to,
      data,
      value: '0',
      chainId: chain.chainId,
      description,
      signer,
    })),
    recorded: [] as store.DeployedContract[],
  })

  async function record(
    operation: 'recordContracts' | 'setImplementation',
    chain: Chain,
    contracts: readonly store.DeployedContract[],
  ) {
    const { number, hash } = await chain.latest()
    await corroborate(chain.rpc, number, hash)
    await recordContracts(database, { operation, chainId: chain.chainId, contracts, now: clock.now() })
    return { missing: [], recorded: [...contracts] }
  }

  async function recordPlan(chain: Chain, { contracts }: Pick<Plan, 'contracts'>) {
    for (const [name, { address, creation }] of Object.entries(contracts))
      if (!(await standsAsCreated(chain, address, { creation, from: DEPLOYMENT_PROXY })))
        throw refuse('NOT_THIS_CONTRACT', `The code at ${address} is not what ${name} leaves there.`)
    return record(
      'recordContracts',
      chain,
      Object.entries(contracts).map(([name, { address }]) => ({ name, address })),
    )
  }

  return {
    /** @param replace Another factory that is on record may be forgotten. */
    deployLending(chain: Chain, request: { owner: Address; platformWallet: Address; replace: boolean }) {
      return planned(async () => {
        const plan = planLendingSuite(request)
        const { factory, factoryImplementation } = plan.suite
        const advice = 'deploy lending-implementations for the first, or '
        if (!request.replace) await requireSame(chain, 'LendingFactory', factory, advice)
        await requireBehind(chain, factory, factoryImplementation)
        return carriedOut(chain, plan)
      })
    },

    /** The identity registry and the stock factory. */
    deployStocks(chain: Chain, request: { owner: Address; replace: boolean }) {
      return planned(async () => {
        const plan = planStockSuite(request)
        const { identityRegistry, identityRegistryImplementation, stockFactory, stockFactoryImplementation } =
          plan.suite
        if (!request.replace) {
          await requireSame(chain, 'IdentityRegistry', identityRegistry, '')
          await requireSame(chain, 'StockFactory', stockFactory, '')
        }
        await requireBehind(chain, identityRegistry, identityRegistryImplementation)
        await requireBehind(chain, stockFactory, stockFactoryImplementation)
        return carriedOut(chain, plan)
      })
    },

    /** The two trading vaults, and the settlement of signed orders between wallets. */
    deployTrading(chain: Chain, request: TradingRequest & { replace: boolean }) {
      return planned(async () => {
        const plan = planTradingSuite(request)
        const { stockVault, commodityVault, vaultImplementation } = plan.suite
        if (!request.replace) {
          await requireSame(chain, 'StockTradingVault', stockVault, '')
          await requireSame(chain, 'CommodityTradingVault', commodityVault, '')
        }
        await requireBehind(chain, stockVault, vaultImplementation)
        await requireBehind(chain, commodityVault, vaultImplementation)
        return carriedOut(chain, plan)
      })
    },

    /** New implementations for the lending factory on record. */
    deployImplementations(chain: Chain, { platformWallet }: { platformWallet: Address }) {
      return planned(async () => {
        const factory = await requireFactory(chain, 'LendingFactory')
        return carriedOut(chain, planImplementations({ factory, platformWallet }))
      })
    },

    /** What stands at an address, of this release or an earlier one, and what it runs on. */
    async recordStanding(chain: Chain, name: string, address: Address, { replace }: { replace: boolean }) {
      const contracts = await findStanding(chain, name, address)
      if (!replace) await requireSame(chain, name, address, '')
      return record('recordContracts', chain, contracts)
    },

    /** The owner's call that serves an implementation; once it is served, and ours, its record. */
    async setImplementation(chain: Chain, text: string, address: Address) {
      const kind = requireKind(text)
      const factory = await requireFactory(chain, factoryOf(kind))
      if ((await codeAt(chain, address)) === '0x') throw refuse('NO_CODE', `No contract stands at ${address}.`)
      const asked = encodeFunctionData({ abi: belongingAbi, functionName: 'factory' })
      const belongsTo = `0x${(await callView(chain, address, asked)).slice(-40)}`
      const version = await readVersion(chainView(chain), address)
      if (version === null || belongsTo !== factory)
        throw refuse('NOT_AN_IMPLEMENTATION', `${address} is no implementation of the factory ${factory}.`)
      const served = await readServed(chainView(chain), factory, kind)
      if (served === address) return recordServed(chain, kind, address)
      const present = served === null ? null : await readVersion(chainView(chain), served)
      if (present !== null && version <= present)
        throw refuse('NOT_AN_UPGRADE', `${address} has version ${version}, but version ${present} is served already.`)
      return unsigned(chain, [serveStep(factory, kind, address)])
    },
  }

  async function recordServed(chain: Chain, kind: ServedKind, address: Address) {
    const name = implementationNames[kind]
    const others = (await listContracts(chain)).filter((contract) => contract.name !== name)
    const creation = (await committedCreations(chain, [...others, { name, address }])).get(name)
    const isOfThisRelease = creation !== undefined && (await standsAsCreated(chain, address, creation))
    const factory = await requireFactory(chain, factoryOf(kind))
    if (!isOfThisRelease && !(await knownCode(chain, contractNamed(name), address, factory)))
      throw refuse('NOT_THIS_CONTRACT', `${address} is served already, but its code is not what ${name} leaves there.`)
    return record('setImplementation', chain, [{ name, address }])
  }
}
