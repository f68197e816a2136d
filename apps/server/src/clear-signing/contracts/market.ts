import { lendingMarketAbi } from '@tallystick/abi'
import { type Hint, signedContract } from './sentence.ts'

const cash: Hint = { token: 'borrowAsset' }
const collateral: Hint = { token: 'collateralToken' }
/** The price of one whole collateral token, in the asset that is lent. */
const signedPrice = { 'signedPrice.price': cash }

export const lendingMarket = signedContract({
  name: 'LendingMarket',
  abi: lendingMarketAbi,
  constants: ['borrowAsset', 'collateralToken'],
  recordedAs: ['LendingMarketImplementation'],
  factory: { recordedAs: 'LendingFactory', deployEvent: 'MarketDeployed(address,address,address,address,uint8,uint8)' },
  sentences: {
    openLoan: {
      intent: 'Open a loan',
      sentence: 'Pledges {collateral} and borrows {amount}.',
      forms: { 4: 'Pledges {collateral} and borrows {amount}, which is paid to {payee}.' },
      fields: { collateral, amount: cash, ...signedPrice },
    },
    addCollateral: {
      intent: 'Pledge more',
      sentence: 'Pledges {amount} more for loan {loanId}.',
      fields: { amount: collateral },
    },
    withdrawCollateral: {
      intent: 'Take collateral back',
      sentence: 'Takes {amount} of the collateral of loan {loanId} back.',
      fields: { amount: collateral, ...signedPrice },
    },
    borrowMore: {
      intent: 'Borrow more',
      sentence: 'Borrows {amount} more on loan {loanId}.',
      fields: { amount: cash, ...signedPrice },
    },
    repay: {
      intent: 'Repay a loan',
      sentence: 'Pays at most {amount} on loan {loanId}.',
      fields: { amount: { ...cash, unlimited: true } },
    },
    repayWithPermit: {
      intent: 'Repay a loan',
      sentence: 'Pays at most {amount} on loan {loanId}, by a permit that was signed.',
      fields: { amount: { ...cash, unlimited: true } },
    },
    closeLoan: { intent: 'Close a loan', sentence: 'Closes loan {loanId}, on which nothing is owed.' },
    addLiquidity: {
      intent: 'Lend to the pool',
      sentence: 'Adds {amount} to the pool.',
      fields: { amount: cash },
    },
    removeLiquidity: {
      intent: 'Leave the pool',
      sentence: 'Gives {shares} shares of the pool back for what they are worth.',
      fields: { shares: { unit: '', decimals: 18 } },
    },
    liquidate: { intent: 'Liquidate a loan', sentence: 'Liquidates loan {loanId}.', fields: signedPrice },
    liquidateAtomically: {
      intent: 'Liquidate and sell a loan',
      sentence: 'Liquidates loan {loanId} and sells its collateral at no less than {bidFactorBps} of the price.',
      fields: signedPrice,
    },
    handleLiquidationTimeout: {
      intent: 'Write a liquidation off',
      sentence: 'Writes off what liquidation {realizationId} did not bring in time.',
    },
    countersignSale: {
      intent: 'Countersign a sale',
      sentence: 'Countersigns the sale of liquidation {realizationId}.',
    },
    claimSurplus: { intent: 'Claim a surplus', sentence: 'Pays the signer the surplus that is escrowed for it.' },
    claimSurplusOfLostWallet: {
      intent: 'Claim a surplus',
      sentence: 'Pays the surplus that is escrowed for the lost wallet {lostWallet} to the wallet that took its place.',
    },
    rebindPledge: {
      intent: 'Follow a wallet recovery',
      sentence: 'Makes {newWallet} the borrower of loan {loanId}.',
    },
    proposeExtension: {
      intent: 'Propose a later maturity',
      sentence: 'Proposes the maturity {newDueAt} for {kind} {loanId}.',
      fields: {
        kind: { name: 'extensionKind', words: { '0': 'loan', '1': 'batch', '2': 'floor' } },
        newDueAt: { raw: true },
      },
    },
    confirmExtension: { intent: 'Confirm an extension', sentence: 'Confirms extension proposal {proposalId}.' },
    applyExtension: {
      intent: 'Apply an extension',
      sentence: 'Moves the named loans of extension proposal {proposalId}.',
    },
    cancelExtension: { intent: 'Cancel an extension', sentence: 'Cancels extension proposal {proposalId}.' },
    setAllowExtension: {
      intent: 'Switch extensions',
      sentence: 'Sets whether maturities may be moved later to {isAllowed}.',
    },
    grantRole: { intent: 'Give a role', sentence: 'Gives role {role} to {account}.' },
    revokeRole: { intent: 'Take a role', sentence: 'Takes role {role} from {account}.' },
    registerVault: { intent: 'Add a vault', sentence: 'Adds {vault} to the vaults that the market draws on.' },
    deregisterVault: {
      intent: 'Remove a vault',
      sentence: 'Takes {vault} out of the vaults that the market draws on.',
    },
    setVaultLiquidity: {
      intent: 'Switch vault liquidity',
      sentence: 'Sets whether the market draws on vaults to {isEnabled}.',
    },
    setAuctionModule: { intent: 'Set the auction venue', sentence: 'Lets the market seize into {newModule}.' },
    setInsuranceFund: { intent: 'Set the insurance fund', sentence: 'Makes {newFund} the insurance fund.' },
    setOperatorFeeRecipient: {
      intent: 'Move the operator share',
      sentence: 'Moves the operator share to {newRecipient}.',
    },
    setIdentityGates: {
      intent: 'Set the registers',
      sentence: 'Admits borrowers by {borrowerRegistry} and providers by {providerRegistry}.',
    },
    setReserveRatio: { intent: 'Set the reserve', sentence: 'Keeps {newRatioBps} of the pool from borrowers.' },
    setTermConfig: {
      intent: 'Set the terms of loans',
      sentence: 'Replaces the terms that new loans get.',
      fields: { maxLoanDuration_: { time: 'duration' } },
    },
    setConfig: {
      intent: 'Set the risk limits',
      sentence: 'Replaces the configuration of the market.',
      fields: {
        'newConfig.minBorrowAmount': cash,
        'newConfig.maxTotalCollateral': collateral,
        'newConfig.maxUserCollateral': collateral,
      },
    },
    pause: { intent: 'Pause the market', sentence: 'Pauses the market.' },
    unpause: { intent: 'Unpause the market', sentence: 'Ends the pause of the market.' },
    pokeSnapshot: { intent: 'Note the rates', sentence: 'Adds the rates of today to the history of the market.' },
    sweepInfrastructureFees: {
      intent: 'Pay infrastructure fees',
      sentence: 'Pays the booked infrastructure fees to the platform wallet.',
    },
    sweepOperatorFees: { intent: 'Pay operator fees', sentence: 'Pays the booked operator fees to the operator.' },
    sweepProtocolFees: {
      intent: 'Pay insurance fees',
      sentence: 'Pays the booked insurance share into the insurance fund.',
    },
    sweepDistributorFees: { intent: 'Pay distributor fees', sentence: 'Pays {provider} its distributor fees.' },
    upgradeToAndCall: {
      intent: 'Upgrade the contract',
      sentence: 'Makes the contract run the code at {newImplementation}.',
    },
  },
})
