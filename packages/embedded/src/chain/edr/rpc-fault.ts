import { EngineRefusal } from './binding.ts'

/** An error as JSON-RPC knows it. */
export class RpcFault extends Error {
  override name = 'RpcFault'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const invalidParams = (sentence: string) => new RpcFault(-32_602, sentence)

/** The words that other nodes have for the same thing, where clients match on them. */
const usualWords: [pattern: RegExp, replacement: string][] = [
  [/^Nonce too low\./, 'nonce too low.'],
  [/^Known transaction: /, 'already known: '],
  [/^Replacement transaction underpriced\./, 'replacement transaction underpriced.'],
  [/^Sender doesn't have enough funds to send tx\./, 'insufficient funds for gas * price + value.'],
  [/^Transaction ran out of gas/, 'out of gas'],
]

/** What the engine refused, in the codes and words that geth and anvil use. */
export function asRpcFault(fault: unknown): RpcFault {
  if (fault instanceof RpcFault) return fault
  if (!(fault instanceof EngineRefusal))
    return new RpcFault(-32_603, fault instanceof Error ? fault.message : String(fault))
  const { code, message, details } = fault
  const returned = typeof details === 'object' && details !== null && 'data' in details ? details.data : undefined
  if (typeof returned === 'string' && /revert/i.test(message)) return new RpcFault(3, 'execution reverted', returned)
  if (/is not supported/.test(message)) return new RpcFault(-32_601, 'Method not found')
  const words = usualWords.reduce((text, [pattern, usual]) => text.replace(pattern, usual), message)
  return new RpcFault(code, words, typeof returned === 'string' && returned !== '0x' ? returned : undefined)
}
