import { type Address, formatUnits, keccak256, maxUint256, toHex, zeroHash } from 'viem'
import type { Answer } from './answer.rules.ts'
import type { TokenBook } from './facts.ts'
import type { Finding } from './findings.rules.ts'
import type { Facts, Move } from './judge.rules.ts'

/** Roles are hashes of their names; a signer should not have to know them. */
const roleNames = new Map<string, string>([
  [zeroHash, 'DEFAULT_ADMIN_ROLE'],
  ...['ISSUER_ROLE', 'LIQUIDATOR_ROLE', 'OPERATOR_ROLE', 'PAUSER_ROLE'].map((name): [string, string] => [
    keccak256(toHex(name)),
    name,
  ]),
])

const amountText = ({ token, amount }: Move, book: TokenBook): string => {
  const facts = book.get(token)
  if (amount === maxUint256) return `without limit ${facts?.symbol ?? token}`
  return facts ? `${formatUnits(amount, facts.decimals)} ${facts.symbol}` : `${amount} smallest units of ${token}`
}

interface Line {
  readonly token: Address
  readonly amount: string
  readonly counterparty: Address
  readonly is: string | null
}

export interface Verification {
  readonly verdict: 'refused' | 'nothing found'
  readonly chainId: number
  readonly block: string
  readonly calls: readonly {
    readonly at: string
    readonly sentence: string | null
    readonly to: Address | null
    readonly contract: string | null
    readonly because: string | null
    readonly functionName: string | null
    readonly signer: Address | null
    readonly fields: readonly { readonly label: string; readonly text: string }[]
  }[]
  /** Of the wallets that sign; null: the calls could not be tried. */
  readonly wallet: {
    readonly success: boolean
    readonly leaves: readonly Line[]
    readonly arrives: readonly Line[]
    readonly mayBeTaken: readonly Line[]
  } | null
  readonly findings: readonly Finding[]
}

/** What a holder needs to know before signing, in a form that programs read. */
export async function summarize(
  answer: Answer,
  facts: Facts & { book: TokenBook; nameOf(address: Address): Promise<string | null> },
  findings: readonly Finding[],
  { block, from }: { readonly block: bigint; readonly from?: Address | undefined },
): Promise<Verification> {
  const signers = new Set(answer.calls.map(({ signer }) => from ?? signer))
  const line = async (move: Move, counterparty: Address): Promise<Line> => ({
    token: move.token,
    amount: amountText(move, facts.book),
    counterparty,
    is: await facts.nameOf(counterparty),
  })
  const { simulated } = facts
  const lines = (moves: readonly Move[], end: 'from' | 'to') =>
    Promise.all(
      moves.filter((move) => signers.has(move[end])).map((move) => line(move, end === 'from' ? move.to : move.from)),
    )
  return {
    verdict: findings.some(({ refuses }) => refuses) ? 'refused' : 'nothing found',
    chainId: facts.chainId,
    block: block.toString(),
    calls: answer.calls.map(({ at, to, signer }, index) => {
      const { contract = null, rendered = null } = facts.calls[index] ?? {}
      return {
        ...{ at, to, signer: from ?? signer },
        sentence: rendered?.sentence.replace(/0x[0-9a-f]{64}/g, (role) => roleNames.get(role) ?? role) ?? null,
        contract: contract?.name ?? null,
        because: contract?.because ?? null,
        functionName: rendered?.functionName ?? null,
        fields: (rendered?.fields ?? []).map(({ label, text }) => ({ label, text: roleNames.get(text) ?? text })),
      }
    }),
    wallet: simulated && {
      success: simulated.success,
      leaves: await lines(simulated.moves, 'from'),
      arrives: await lines(simulated.moves, 'to'),
      mayBeTaken: await lines(simulated.allowances, 'from'),
    },
    findings,
  }
}

const rows = (pairs: readonly (readonly [string, string | null])[]) => {
  const shown = pairs.filter((pair): pair is [string, string] => pair[1] !== null)
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  return shown.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
}

function walletLines({ wallet, block }: Verification): string[] {
  if (!wallet) return ['What leaves the wallet: not known.']
  if (!wallet.success) return [`The call would revert at block ${block}: nothing would leave the wallet.`]
  const text = ({ amount, counterparty, is }: Line, word: string) =>
    `${amount} ${word} ${counterparty}${is === null ? '' : ` (${is})`}`
  const listed = [
    ...wallet.leaves.map((line) => ['leaves', text(line, 'to')] as const),
    ...wallet.arrives.map((line) => ['arrives', text(line, 'from')] as const),
    ...wallet.mayBeTaken.map((line) => ['may be taken', text(line, 'by')] as const),
  ]
  return [`Your wallet, tried at block ${block}:`, ...(listed.length === 0 ? ['  no token moves'] : rows(listed))]
}

/** The same for people. */
export function reportText(verification: Verification): string {
  const { calls, chainId, findings, verdict } = verification
  const shown = calls.flatMap((call, index) => [
    `Call ${index + 1} of ${calls.length}: ${call.sentence ?? 'nobody knows what it does.'}`,
    ...rows([
      ['chain', String(chainId)],
      ['contract', call.to === null ? 'a new one' : `${call.to}${call.contract ? `, ${call.contract}` : ''}`],
      ['known as', call.because],
      ['function', call.functionName],
      ['signed by', call.signer],
      ...call.fields.map(({ label, text }) => [label, text] as const),
    ]),
    '',
  ])
  const found = findings.map(
    ({ code, refuses, at, message }) =>
      `  ${refuses ? 'REFUSED' : 'note   '}  ${code}${at === '' ? '' : ` at ${at}`}: ${message}`,
  )
  const end =
    verdict === 'refused'
      ? 'Refused: do not sign this.'
      : 'Nothing speaks against it. Sign it if the sentences above say what you want.'
  return `${[...shown, ...walletLines(verification), '', ...found, ...(found.length > 0 ? [''] : []), end].join('\n')}\n`
}
