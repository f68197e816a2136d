import {
  type AnsweredCall,
  addressesIn,
  type Descriptor,
  descriptorOf,
  render,
  signedContracts,
  type TokenFacts,
} from '@tallystick/server/clear-signing'
import { type Address, erc20Abi } from 'viem'
import type { Answer, DeploymentRecord } from './answer.rules.ts'
import { type ContractFinder, createContractFinder } from './contracts.ts'
import type { CallFacts, Facts, Holder, KnownContract } from './judge.rules.ts'
import type { NodeReads } from './node.ts'

const descriptors = signedContracts.map(descriptorOf)
const describing = (name: string): Descriptor | undefined =>
  descriptors.find(({ metadata }) => metadata.contractName === name)

/** The descriptor of a kind, bound to the tokens of one contract. */
function bound(descriptor: Descriptor, contract: KnownContract | null): Descriptor {
  const constants = { ...descriptor.metadata.constants, ...contract?.tokens }
  return { ...descriptor, metadata: { ...descriptor.metadata, constants } }
}

export type TokenBook = Map<Address, TokenFacts | undefined>

async function learn(node: NodeReads, book: TokenBook, addresses: readonly Address[]): Promise<void> {
  for (const address of new Set(addresses)) {
    if (book.has(address)) continue
    const [symbol, decimals] = await Promise.all([
      node.read(address, erc20Abi, 'symbol', []),
      node.read(address, erc20Abi, 'decimals', []),
    ])
    book.set(address, symbol === null || decimals === null ? undefined : { symbol, decimals })
  }
}

interface Parts {
  readonly node: NodeReads
  readonly finder: ContractFinder
  readonly book: TokenBook
  readonly holder: Holder
  /** Whatever the answer calls: an allowance is for the call that follows it. */
  readonly called: readonly Address[]
}

/** What the call would say by each descriptor that knows its function, whatever contract it is for. */
const guesses = (call: { to: Address; data: AnsweredCall['data'] }) =>
  descriptors.flatMap((descriptor) => {
    const rendered = render(descriptor, call)
    return rendered ? [{ descriptor, rendered }] : []
  })

async function factsOf({ to, data }: AnsweredCall, { node, finder, book, holder, called }: Parts): Promise<CallFacts> {
  if (to === null) return { hasCode: false, contract: null, implementation: null, rendered: null, spender: null }
  const call = { to, data }
  const guessed = guesses(call)
  const subjects = guessed.flatMap(({ rendered }) => addressesIn(rendered))
  const contract = (await finder.find(to)) ?? (await finder.foreign(to, [...subjects, ...called]))
  // A contract that only the holder knows is taken for the kind that has such a function.
  const descriptor = contract
    ? describing(contract.name)
    : holder.known.includes(to)
      ? guessed[0]?.descriptor
      : undefined
  await learn(node, book, [to, ...subjects, ...Object.values(contract?.tokens ?? {})])
  const rendered = descriptor ? render(bound(descriptor, contract), call, (token) => book.get(token)) : undefined
  const recorded = contract ? finder.implementationOf(contract.name) : undefined
  const runs = recorded ? await node.implementationBehind(to) : null
  const spender = rendered?.functionName === 'approve' ? addressesIn(rendered)[0] : undefined
  return {
    hasCode: await node.hasCode(to),
    contract,
    implementation: recorded && runs ? { runs, recorded } : null,
    rendered: rendered ?? null,
    spender: spender ? { address: spender, contract: await finder.find(spender) } : null,
  }
}

/** Asks the node for everything that is judged. */
export async function gatherFacts(
  node: NodeReads,
  answer: Answer,
  record: DeploymentRecord,
  holder: Holder,
  notOurs: readonly string[],
): Promise<Facts & { book: TokenBook; nameOf(address: Address): Promise<string | null> }> {
  const finder = createContractFinder(node, record)
  const book: TokenBook = new Map()
  const calls: CallFacts[] = []
  const called = answer.calls.flatMap(({ to }) => to ?? [])
  for (const call of answer.calls) calls.push(await factsOf(call, { node, finder, book, holder, called }))
  const simulated = await node.simulate(answer.calls, holder.from)
  const moved = [...(simulated?.moves ?? []), ...(simulated?.allowances ?? [])]
  await learn(
    node,
    book,
    moved.map(({ token }) => token),
  )
  const { chainId } = node
  return {
    ...{ chainId, recordChainId: record.chainId, notOurs, calls, simulated, book },
    nameOf: async (address) => (await finder.find(address))?.name ?? null,
  }
}
