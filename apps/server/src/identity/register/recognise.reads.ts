import type { RegisterKind } from '@tallystick/wire'
import { type Abi, type Address, decodeFunctionResult, encodeFunctionData, zeroAddress, zeroHash } from 'viem'
import { COSTLY_GAS, type Probe, type ProbeAnswer, probe } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { abis, trustAbi } from '../contracts.ts'

interface Question {
  readonly kind: RegisterKind
  readonly abi: Abi
  readonly functionName: string
  readonly args: readonly unknown[]
  readonly maxReturn: number
  /** Asked of the contract that an earlier question was answered with. */
  readonly behind?: string
}

const WORD = 32
/** At most 50 issuers are trusted by a registry, and fewer topics asked for. */
const LIST = 52 * WORD

const ours = (functionName: string, args: readonly unknown[], maxReturn = WORD): Question => ({
  kind: 'TALLYSTICK',
  abi: abis.identityRegistry,
  functionName,
  args,
  maxReturn,
})
const theirs = (functionName: string, args: readonly unknown[] = []): Question => ({
  kind: 'TREX',
  abi: abis.trexRegistry,
  functionName,
  args,
  maxReturn: WORD,
})
const list = (behind: string, functionName: string): Question => ({
  kind: 'TREX',
  abi: trustAbi,
  functionName,
  args: [],
  maxReturn: LIST,
  behind,
})

/** A registry is what answers as one, down to the contracts that it is made of. */
const questions: readonly Question[] = [
  ours('statusOf', [zeroAddress]),
  ours('claimOf', [zeroAddress, 0], 6 * WORD),
  ours('hasRole', [zeroHash, zeroAddress]),
  theirs('topicsRegistry'),
  theirs('issuersRegistry'),
  theirs('contains', [zeroAddress]),
  list('topicsRegistry', 'getClaimTopics'),
  list('issuersRegistry', 'getTrustedIssuers'),
]

/** All answers of a call must fit into the size of one contract's code. */
const REGISTRIES_PER_CALL = 4

const probesFor = (registry: Address, place: number): Probe[] =>
  questions.map(({ abi, functionName, args, maxReturn, behind }) => {
    const at = behind && place * questions.length + questions.findIndex((one) => one.functionName === behind)
    const data = encodeFunctionData({ abi, functionName, args })
    return { target: at || registry, data, maxReturn, ...(behind ? { gasLimit: COSTLY_GAS } : {}) }
  })

function isAnswered({ abi, functionName }: Question, answer: ProbeAnswer | undefined): boolean {
  if (answer?.outcome !== 'OK') return false
  try {
    decodeFunctionResult({ abi, functionName, data: answer.data })
    return true
  } catch {
    return false
  }
}

function kindBy(answers: readonly ProbeAnswer[]): RegisterKind | null {
  const isOf = (kind: RegisterKind) =>
    questions.every((question, index) => question.kind !== kind || isAnswered(question, answers[index]))
  if (isOf('TALLYSTICK')) return 'TALLYSTICK'
  return isOf('TREX') ? 'TREX' : null
}

async function recogniseSome(chain: Chain, addresses: readonly Address[]): Promise<(RegisterKind | null)[]> {
  const { answers } = await probe(chain, addresses.flatMap(probesFor))
  return addresses.map((_, index) => kindBy(answers.slice(index * questions.length, (index + 1) * questions.length)))
}

/** Which kind each contract is, by bounded calls; null: neither. */
export async function recognise(chain: Chain, addresses: readonly Address[]): Promise<(RegisterKind | null)[]> {
  const parts: (readonly Address[])[] = []
  for (let from = 0; from < addresses.length; from += REGISTRIES_PER_CALL)
    parts.push(addresses.slice(from, from + REGISTRIES_PER_CALL))
  return (await Promise.all(parts.map((part) => recogniseSome(chain, part)))).flat()
}
