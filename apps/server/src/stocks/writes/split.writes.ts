import { stocksOperations } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { ConfirmedEffect } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import { ifGiven, requireFields } from '../records/index.ts'
import { onToken } from './calls.ts'
import { tokenEvents } from './receipt-events.ts'
import { signers } from './signers.reads.ts'
import { stockWrite } from './stock-write.ts'
import { shares } from './write-fields.ts'

const continueCall = onToken('continueSplit', 'SplitContinued')

/** A holder takes 40,000 gas and 27,000 more for each agent that froze some of their shares; one transaction may take 16.7 million. */
const HOLDERS_PER_TRANSACTION = 150
const LARGEST_TERM = 2 ** 32 - 1

function isRatio(numerator: number, denominator: number): boolean {
  return denominator > 0 && numerator > denominator && numerator <= LARGEST_TERM
}

/** How far a transaction brought the split that was under way when it ended. */
function progress({ logIndex, transaction }: ConfirmedEffect<object>, token: `0x${string}`) {
  const [reached] = tokenEvents(token, 'SplitContinued', transaction.logs).filter((one) => one.logIndex >= logIndex)
  const left = (reached?.effect.holders ?? 0n) - (reached?.effect.processed ?? 0n)
  return { completed: left === 0n, holdersLeft: left.toString() }
}

export const splitStock = stockWrite(stocksOperations.splitStock, {
  call: onToken('stockSplit', 'SplitStarted'),
  signer: signers.issuer,
  ask(body) {
    const { numerator, denominator } = requireFields(body, 'numerator', 'denominator')
    if (!isRatio(numerator, denominator)) throw new AppError('INVALID_RATIO')
    return {
      args: {
        numerator: BigInt(numerator),
        denominator: BigInt(denominator),
        maxHolders: BigInt(body.maxHolders ?? HOLDERS_PER_TRANSACTION),
      },
      done: { numerator: String(numerator), denominator: String(denominator) },
    }
  },
  expect: (body) => ({
    numerator: ifGiven(body.numerator, BigInt),
    denominator: ifGiven(body.denominator, BigInt),
  }),
  report: (proof, { tokenAddress }) => ({
    numerator: proof.effect.numerator.toString(),
    denominator: proof.effect.denominator.toString(),
    ...progress(proof, tokenAddress),
  }),
  state: {
    questions: ({ tokenAddress }) => [
      contractRead(tokenAddress, abis.stock, 'holderCount', []),
      contractRead(tokenAddress, abis.stock, 'totalSupply', []),
    ],
    consider([holders = 0n, supply = 0n], { numerator, denominator, maxHolders: perTransaction }, stock) {
      const left = holders > perTransaction ? holders - perTransaction : 0n
      const following = Array.from({ length: Number((left + perTransaction - 1n) / perTransaction) }, (_, index) => ({
        call: continueCall.prepare(stock.tokenAddress, { maxHolders: perTransaction }),
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
})

export const continueSplit = stockWrite(stocksOperations.continueSplit, {
  call: continueCall,
  signer: signers.anybody,
  ask: (body) => ({ args: { maxHolders: BigInt(body.maxHolders ?? HOLDERS_PER_TRANSACTION) }, done: {} }),
  expect: () => ({}),
  report: (proof, { tokenAddress }) => progress(proof, tokenAddress),
  state: {
    questions: ({ tokenAddress }) => [contractRead(tokenAddress, abis.stock, 'splitHoldersLeft', [])],
    consider([waiting = 0n], { maxHolders: perTransaction }) {
      const left = waiting > perTransaction ? waiting - perTransaction : 0n
      return {
        built: { holdersLeft: waiting.toString(), holdersPerTransaction: Number(perTransaction) },
        done: { completed: left === 0n, holdersLeft: left.toString() },
      }
    },
  },
})
