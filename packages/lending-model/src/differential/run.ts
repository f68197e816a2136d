import { seededRandom, startTestChain } from '@tallystick/testkit'
import { type Abi, type Address, encodeFunctionData } from 'viem'
import { attempt } from '../market/refusal.ts'
import type { LendingState } from '../market/state.ts'
import { callOf } from './calls.ts'
import { createChain } from './chain.ts'
import { createClock } from './clock.ts'
import { drawStep } from './draw-step.ts'
import { drawMarket, type MarketChoice, plainMarket } from './market-choice.ts'
import { type Stage, setUpMarket } from './market-setup.ts'
import { actors } from './parties.ts'
import { perform } from './perform.ts'
import { probesOf } from './probes.ts'
import { brokenRules } from './properties.ts'
import { createProbeReader } from './read-probes.ts'
import { createReasonReader } from './revert-reason.ts'
import type { Step, StepName } from './steps.ts'
import { deploySuite } from './suite.ts'

export interface RunOptions {
  steps: number
  seed: number
  /** Steps on one market before the next one. */
  stepsPerMarket?: number
  /** Leaves out the markets before this one. */
  firstMarket?: number
  /** Takes these steps on one market instead of drawing any. */
  script?: Script
  onProgress?(done: number): void
}

/** @property market Where it is not the plain one. */
export interface Script {
  market: Partial<MarketChoice>
  steps: Step[]
}

export interface Difference {
  market: number
  stepsOnMarket: Step[]
  found: string[]
}

export interface RunReport {
  steps: number
  refused: number
  otherReasons: Map<string, number>
  perStep: Map<StepName, { done: number; refusals: Map<string, number> }>
  figures: number
  differences: Difference[]
  seconds: number
}

const startsAt = 1_800_000_000n
const fullProbeInterval = 20
/** A market whose books differ is left, since everything after it would differ as well. */
const mostDifferences = 20

/** A node remembers every state it ever had: after so many markets another one goes on. */
const marketsPerNode = 20

export async function runDifferential(options: RunOptions): Promise<RunReport> {
  const report: RunReport = {
    steps: 0,
    refused: 0,
    otherReasons: new Map(),
    perStep: new Map(),
    figures: 0,
    differences: [],
    seconds: 0,
  }
  const startedAt = performance.now()
  for (let market = options.firstMarket ?? 0; isUnfinished(report, options); market += marketsPerNode) {
    const node = await startTestChain({
      now: () => new Date(Number(startsAt) * 1_000),
      accounts: 20,
      gasLimit: 1_000_000_000,
      keepsTransactionsOfBlocks: 64,
    })
    try {
      await run(node.url, options, report, market)
    } finally {
      await node.stop()
    }
  }
  report.seconds = (performance.now() - startedAt) / 1_000
  return report
}

const stepsOf = ({ script, steps }: RunOptions) => script?.steps.length ?? steps
const isUnfinished = (report: RunReport, options: RunOptions) =>
  report.steps < stepsOf(options) && report.differences.length < mostDifferences

/** Takes markets from `first` on, as many as one node can carry. */
async function run(url: string, options: RunOptions, report: RunReport, first: number): Promise<void> {
  const { seed, script, stepsPerMarket = 400 } = options
  const steps = stepsOf(options)
  const chain = createChain(url)
  const clock = createClock(startsAt + 1_000n)
  const accounts = await chain.rpc<Address[]>('eth_accounts', [])
  const addresses = new Map(actors.map((actor, position) => [actor as string, accounts[position] as Address]))
  const suite = await deploySuite(chain, clock, accounts[0] as Address, addresses.get('platform') as Address)
  const nameOf = createReasonReader(Object.values(suite.abis))
  const differencesOf = createProbeReader(chain, suite.abis)
  for (let market = first; market < first + marketsPerNode && isUnfinished(report, options); market++) {
    // Each market has a seed of its own, so that one can be repeated without those before it.
    const random = seededRandom(seed * 1_000_003 + market)
    const choice = script ? { ...plainMarket, ...script.market } : drawMarket(random)
    const stage = await setUpMarket(chain, clock, suite, addresses, choice)
    const stepsOnMarket: Step[] = []
    while (stepsOnMarket.length < stepsPerMarket && report.steps < steps) {
      const step = script?.steps[stepsOnMarket.length] ?? drawStep(random, stage.state, clock.now())
      stepsOnMarket.push(step)
      const taken = await takeStep(stage, step)
      report.steps += 1
      if (report.steps % 1_000 === 0) options.onProgress?.(report.steps)
      const at = clock.now() + random.pick([0n, 0n, 1n, 3_600n, 86_400n * 30n])
      const isFull = stepsOnMarket.length % fullProbeInterval === 0 || stepsOnMarket.length === stepsPerMarket
      const probes = probesOf(stage.state, stage.addresses, at, isFull)
      report.figures += probes.reduce((count, probe) => count + Object.keys(probe.expected).length, 0)
      const [answered, figures] = await Promise.all([taken(), differencesOf(probes, stage.addresses, at)])
      const found = [...answered, ...figures]
      if (found.length > 0) {
        report.differences.push({ market, stepsOnMarket, found })
        break
      }
    }
  }

  /** Answers with what compares the two outcomes, since that may take another read. */
  async function takeStep(stage: Stage, step: Step): Promise<() => Promise<string[]>> {
    const before: LendingState = stage.state
    const at = clock.advance(step.seconds)
    const turn = { now: at, caller: step.caller }
    const outcome = attempt(before, (state) => perform({ ...turn, state }, step))
    stage.state = outcome.state
    count(report, step.name, outcome.refusal)
    const call = callOf(step, stage.addresses)
    const data = encodeFunctionData({ ...call, abi: suite.abis[call.contract] as Abi })
    const from = stage.addresses.get(step.caller) as Address
    const { status, transactionHash } = await chain.transact({ from, to: call.to, data, at })
    return async () => {
      const hasReverted = status !== '0x1'
      const reason = hasReverted ? nameOf(await chain.returnDataOf(transactionHash)) : undefined
      const pair = `${step.name}: contract ${reason ?? 'accepts'}, model ${outcome.refusal ?? 'accepts'}`
      if (hasReverted !== (outcome.refusal !== undefined)) return [pair]
      if (reason !== outcome.refusal) report.otherReasons.set(pair, (report.otherReasons.get(pair) ?? 0) + 1)
      return brokenRules(step.name, before, outcome.state, at)
    }
  }
}

function count(report: RunReport, name: StepName, refusal: string | undefined): void {
  const counts = report.perStep.get(name) ?? { done: 0, refusals: new Map() }
  if (refusal === undefined) counts.done += 1
  else counts.refusals.set(refusal, (counts.refusals.get(refusal) ?? 0) + 1)
  if (refusal !== undefined) report.refused += 1
  report.perStep.set(name, counts)
}
