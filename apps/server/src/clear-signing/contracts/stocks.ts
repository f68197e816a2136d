import { stockFactoryAbi, stockTokenAbi } from '@tallystick/abi'
import { type Hint, signedContract } from './sentence.ts'

const shares: Hint = { token: '@.to' }
const role = (article: string, power: string) => ({
  given: { intent: `Add ${article} ${power}`, sentence: `Makes {account} ${article} ${power} of the token.` },
  taken: { intent: `Remove ${article} ${power}`, sentence: `Takes the role of ${power} from {account}.` },
})
const controller = role('a', 'controller')
const subIssuer = role('a', 'sub-issuer')
const authorized = role('an', 'authorized contract')

export const stockToken = signedContract({
  name: 'StockToken',
  abi: stockTokenAbi,
  recordedAs: ['StockTokenImplementation'],
  factory: { recordedAs: 'StockFactory', deployEvent: 'StockDeployed(address,address,address,address,string)' },
  sentences: {
    issue: { intent: 'Issue shares', sentence: 'Issues {amount} to {to}.', fields: { amount: shares } },
    batchIssue: {
      intent: 'Issue shares',
      sentence: 'Issues shares to several holders.',
      fields: { 'amounts.[]': shares },
    },
    redeem: { intent: 'Redeem shares', sentence: 'Redeems {amount} of the signer.', fields: { amount: shares } },
    redeemFrom: { intent: 'Redeem shares', sentence: 'Redeems {amount} of {account}.', fields: { amount: shares } },
    forceTransfer: {
      intent: 'Force a transfer',
      sentence: 'Moves {amount} from {from} to {to} without asking the holder.',
      fields: { amount: shares },
    },
    freezeTokens: { intent: 'Freeze shares', sentence: 'Freezes {amount} of {account}.', fields: { amount: shares } },
    unfreezeTokens: {
      intent: 'Unfreeze shares',
      sentence: 'Unfreezes {amount} of {account}.',
      fields: { amount: shares },
    },
    releaseSurplus: {
      intent: 'Release frozen shares',
      sentence: 'Releases {amount} of {account} that {agent} froze and no longer needs.',
      fields: { amount: shares },
    },
    setDefaultLimits: {
      intent: 'Set holding limits',
      sentence: 'Sets what any holder may hold to {minHolding} up to {maxHolding}.',
      fields: { maxHolding: shares, minHolding: shares },
    },
    setUserLimits: {
      intent: 'Set holding limits',
      sentence: 'Sets what {account} may hold to {minHolding} up to {maxHolding}.',
      fields: { maxHolding: shares, minHolding: shares },
    },
    setLockup: { intent: 'Set a lock-up', sentence: 'Locks the shares of {account} until {until}.' },
    pause: { intent: 'Pause the token', sentence: 'Pauses all transfers of the token.' },
    unpause: { intent: 'Unpause the token', sentence: 'Ends the pause of the token.' },
    addController: controller.given,
    removeController: controller.taken,
    addSubIssuer: subIssuer.given,
    removeSubIssuer: subIssuer.taken,
    addAuthorizedContract: authorized.given,
    removeAuthorizedContract: authorized.taken,
    setSubIssuerCap: {
      intent: 'Set a cap',
      sentence: 'Lets sub-issuer {subIssuer} have {cap} outstanding.',
      fields: { cap: shares },
    },
    setSubIssuersAllowed: {
      intent: 'Switch sub-issuers',
      sentence: 'Sets whether sub-issuers may issue to {allowed}.',
    },
    stockSplit: {
      intent: 'Split the shares',
      sentence: 'Turns {denominator} shares into {numerator}, for the first {maxHolders} holders.',
    },
    continueSplit: {
      intent: 'Continue a split',
      sentence: 'Converts the next {maxHolders} holders of the split that was started.',
    },
    announceIdentityRegistry: {
      intent: 'Announce a registry',
      sentence: 'Announces {newRegistry} as the next identity registry of the token.',
    },
    setIdentityRegistry: {
      intent: 'Change the registry',
      sentence: 'Makes {newRegistry} the identity registry of the token.',
    },
    addAgent: { intent: 'Add an agent', sentence: 'Makes {agent} an agent of the token.' },
    removeAgent: { intent: 'Remove an agent', sentence: 'Takes the agent role from {agent}.' },
    approve: {
      intent: 'Allow a spender',
      sentence: 'Lets {spender} take up to {amount} from the signer.',
      fields: { amount: { ...shares, unlimited: true } },
    },
    transfer: { intent: 'Transfer', sentence: 'Sends {amount} to {to}.', fields: { amount: shares } },
  },
})

export const stockFactory = signedContract({
  name: 'StockFactory',
  abi: stockFactoryAbi,
  recordedAs: ['StockFactory'],
  sentences: {
    deployStock: {
      intent: 'Create a stock token',
      sentence: 'Creates the stock token {terms.name} ({terms.symbol}) for the issuer {terms.issuer}.',
    },
  },
})
