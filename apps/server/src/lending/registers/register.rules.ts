import { type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'

const registerAbi = parseAbi(['function isVerified(address) view returns (bool)'])
const WORD = 32

/** A bounded question to a register, which nobody vouches for, about a wallet. */
export const registerProbe = <T extends Address | number>(register: T, account: Address = zeroAddress) => ({
  target: register,
  data: encodeFunctionData({ abi: registerAbi, functionName: 'isVerified', args: [account] }),
  maxReturn: 2 * WORD,
  // A register checks the signature of every claim that it asks for.
  gasLimit: 500_000,
})

/** What came back. */
interface RegisterAnswer {
  readonly outcome: string
  readonly data: Hex
}

export interface RegisterShape {
  readonly shape: 'none' | 'bool' | 'tuple' | 'unknown' | 'unreadable'
  readonly usable: boolean
}

/** Without a register nobody is refused. */
export const noRegister: RegisterShape = { shape: 'none', usable: true }

const sizeOf = (data: Hex) => (data.length - 2) / 2

/** The contracts take the first word of whatever is answered; a register that answers none refuses everyone. */
export function shapeOf(answer: RegisterAnswer | undefined): RegisterShape {
  if (answer?.outcome === 'TOO_LARGE') return { shape: 'unknown', usable: true }
  if (answer?.outcome !== 'OK') return { shape: 'unreadable', usable: false }
  const size = sizeOf(answer.data)
  if (size === WORD) return { shape: 'bool', usable: true }
  return size === 2 * WORD ? { shape: 'tuple', usable: true } : { shape: 'unknown', usable: size > WORD }
}

/** What the contracts make of the answer: verified is exactly 1 in its first word. */
export function isVerified(answer: RegisterAnswer | undefined): boolean {
  if (!answer || !shapeOf(answer).usable) return false
  return BigInt(answer.data.slice(0, 2 + 2 * WORD)) === 1n
}

/** What the gate means to somebody who wants to borrow. */
export function gateNote({ shape, usable }: RegisterShape): string | null {
  if (shape === 'none') return 'There is no register: anyone may borrow.'
  return usable ? null : 'The register does not answer isVerified(address), so it refuses everyone.'
}
