import type { ConfirmedEffect } from '../../intents/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Effect } from '../../platform/chain/call-pair.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { tokenEvents } from '../receipt-events.ts'
import { ifGiven, requireFields } from '../request-fields.ts'
import { signers } from './signers.reads.ts'
import { stockCalls } from './stock-calls.call.ts'
import type { StockWrite } from './write.ts'
import { type Body, shares } from './write-fields.ts'

/** A holder takes 40,000 gas and 27,000 more for each agent that froze some of their shares; one transaction may take 16.7 million. */
const HOLDERS_PER_TRANSACTION = 150
const LARGEST_TERM = 2 ** 32 - 1

function isRatio(numerator: number, denominator: number): boolean {
  return denominator > 0 && numerator > denominator && numerator <= LARGEST_TERM
}

/** How far a transaction brought the split that was under way when it ended. */
function progress({ logIndex, transaction }: ConfirmedEffect<Effect>, token: `0x${string}`) {
  const [reached] = tokenEvents(token, 'SplitContinued', transaction.logs).filter((one) => one.logIndex >= logIndex)
  const left = BigInt(String(reached?.effect.holders ?? 0)) - BigInt(String(reached?.effect.processed ?? 0))
  return { completed: left === 0n, holdersLeft: left.toString() }
}

export const splitWrite: StockWrite<Body<'splitStock'>> = {
  pair: stockCalls.stockSplit,
  signer: signers.issuer,
  ask(body) {
    const { numerator, denominator } = requireFields(body, 'numerator', 'denominator')
    if (!isRatio(numerator, denominator)) throw new AppError('INVALID_RATIO')
    return {
      args: [BigInt(numerator), BigInt(denominator), BigInt(body.maxHolders ?? HOLDERS_PER_TRANSACTION)],
      done: { numerator: String(numerator), denominator: String(denominator) },
    }
  },
  expect: (body) => ({
    numerator: ifGiven(body.numerator, String),
    denominator: ifGiven(body.denominator, String),
  }),
  tell: (proof, { tokenAddress }) => ({
    numerator: proof.effect.numerator,
    denominator: proof.effect.denominator,
    ...progress(proof, tokenAddress),
  }),
  state: {
    questions: ({ tokenAddress }) => [
      contractRead(tokenAddress, abis.stock, 'holderCount', []),
      contractRead(tokenAddress, abis.stock, 'totalSupply', []),
    ],
    consider([holders = 0n, supply = 0n], { args }, stock) {
      const [numerator = 1n, denominator = 1n, perTransaction = 1n] = args as readonly bigint[]
      const left = holders > perTransaction ? holders - perTransaction : 0n
      const following = Array.from({ length: Number((left + perTransaction - 1n) / perTransaction) }, (_, index) => ({
        call: stockCalls.continueSplit.prepare(stock.tokenAddress, [perTransaction]),
        functionName: 'continueSplit',
        description: `Converts holders ${BigInt(index + 1) * perTransaction + 1n} and following of ${holders}. Anybody may sign.`,
      }))
      return {
        built: {
          holders: holders.toString(),
          holdersPerTransaction: Number(perTransaction),
          newTotalSupply: shares((supply * numerator) / denominator, stock),
        },
        done: { completed: left === 0n, holdersLeft: left.toString() },
        following,
      }
    },
  },
}

export const continueSplitWrite: StockWrite<Body<'continueSplit'>> = {
  pair: stockCalls.continueSplit,
  signer: signers.anybody,
  ask: (body) => ({ args: [BigInt(body.maxHolders ?? HOLDERS_PER_TRANSACTION)], done: {} }),
  expect: () => ({}),
  tell: (proof, { tokenAddress }) => progress(proof, tokenAddress),
  state: {
    questions: ({ tokenAddress }) => [contractRead(tokenAddress, abis.stock, 'splitHoldersLeft', [])],
    consider([waiting = 0n], { args }) {
      const [perTransaction = 1n] = args as readonly bigint[]
      const left = waiting > perTransaction ? waiting - perTransaction : 0n
      return {
        built: { holdersLeft: waiting.toString(), holdersPerTransaction: Number(perTransaction) },
        done: { completed: left === 0n, holdersLeft: left.toString() },
      }
    },
  },
}
