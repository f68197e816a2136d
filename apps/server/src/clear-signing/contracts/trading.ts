import { signedOrderSettlementAbi, tradingVaultAbi } from '@tallystick/abi'
import { type Hint, signedContract } from './sentence.ts'

const amount: Hint = { token: '#.token' }
const ending = {
  cancelOrders: { intent: 'End orders', sentence: 'Ends the named signed orders of the signer for good.' },
  raiseNonceFloor: {
    intent: 'End orders',
    sentence: 'Ends all signed orders of the signer with a nonce below {newFloor} for good.',
  },
} as const
const settleOne = { intent: 'Settle a trade', sentence: 'Settles one trade: both legs, or neither.' } as const
const settleMany = {
  intent: 'Settle trades',
  sentence: 'Settles several trades, each for itself: both legs, or neither.',
} as const

export const tradingVault = signedContract({
  name: 'TradingVault',
  abi: tradingVaultAbi,
  recordedAs: ['StockTradingVault', 'CommodityTradingVault'],
  sentences: {
    deposit: { intent: 'Deposit', sentence: 'Brings {amount} into the vault.', fields: { amount } },
    depositAndCommit: {
      intent: 'Deposit and commit',
      sentence: 'Brings {amount} into the vault and commits it to orders.',
      fields: { amount },
    },
    commit: {
      intent: 'Commit',
      sentence: 'Commits {amount} of free balance, so that it can back orders.',
      fields: { amount },
    },
    requestWithdrawal: {
      intent: 'Ask for a withdrawal',
      sentence: 'Asks {amount} of committed balance back, which is free after one day.',
      fields: { amount },
    },
    cancelWithdrawalRequest: {
      intent: 'Keep balance committed',
      sentence: 'Keeps committed what was asked back of {token}.',
    },
    withdraw: { intent: 'Withdraw', sentence: 'Takes {amount} out of the vault.', fields: { amount } },
    addToken: {
      intent: 'Admit a token',
      sentence: 'Lets the vault take the token {token}.',
      fields: {
        rules: {
          name: 'transferRules',
          words: { '0': 'none', '1': 'canTransfer', '2': 'ERC-3643', '3': 'ERC-3643 and ERC-1404' },
        },
      },
    },
    settle: settleOne,
    batchSettle: settleMany,
    ...ending,
  },
})

export const signedOrderSettlement = signedContract({
  name: 'SignedOrderSettlement',
  abi: signedOrderSettlementAbi,
  recordedAs: ['SignedOrderSettlement'],
  sentences: {
    registerSecurity: {
      intent: 'Register a security',
      sentence: 'Registers the security {token}; whoever signs administers it there.',
    },
    setQuoteAsset: {
      intent: 'Set a quote asset',
      sentence: 'Sets whether {token} may be paid for with {quote} to {allowed}.',
    },
    setOperator: {
      intent: 'Set an operator',
      sentence: 'Sets whether {operator} may send settlements of {token} to {allowed}.',
    },
    settleTrade: settleOne,
    batchSettleTrades: settleMany,
    ...ending,
  },
})
