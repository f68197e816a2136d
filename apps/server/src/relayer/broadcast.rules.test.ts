import { expect, it } from 'vitest'
import { meaningOf } from './broadcast.rules.ts'

// As nodes of several makes put it.
it.each([
  ['already known', 'TAKEN'],
  ['Known transaction', 'TAKEN'],
  ['transaction already imported', 'TAKEN'],
  ['Transaction with the same hash was already imported.', 'TAKEN'],
  ['nonce too low', 'PASSED'],
  ['nonce too low: next nonce 5, tx nonce 4', 'PASSED'],
  ['Transaction nonce is too low. Try incrementing the nonce.', 'PASSED'],
  ['OldNonce, Current nonce: 3', 'PASSED'],
  ['replacement transaction underpriced', 'LATER'],
  ['transaction underpriced: tip needed 1, tip permitted 0', 'LATER'],
  ['max fee per gas less than block base fee: address 0x0', 'LATER'],
  ['txpool is full', 'LATER'],
  ['account limit exceeded: pooled 64 txs', 'LATER'],
  ['insufficient funds for gas * price + value', 'UNFUNDED'],
  ['Insufficient funds. The account you tried to send transaction from does not have enough funds.', 'UNFUNDED'],
  ['exceeds block gas limit', 'REFUSED'],
  ['intrinsic gas too low', 'REFUSED'],
  ['', 'REFUSED'],
])('"%s" means %s', (words, meaning) => {
  expect(meaningOf(words)).toBe(meaning)
})
