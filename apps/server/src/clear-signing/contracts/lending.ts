import {
  custodyAdapterAbi,
  dutchAuctionVenueAbi,
  freezeAdapterAbi,
  insuranceFundAbi,
  interestRateModelAbi,
  lendingFactoryAbi,
  lendingVaultAbi,
  liquidationRouterAbi,
  securityPriceOracleAbi,
} from '@tallystick/abi'
import { type Hint, signedContract } from './sentence.ts'

const cash: Hint = { token: 'borrowAsset' }
const collateral: Hint = { token: 'collateralToken' }
const realizationMode: Hint = {
  name: 'realizationMode',
  words: { '0': 'undeclared', '1': 'exchange sale', '2': 'issuer redemption', '3': 'auction' },
}
const rateMode: Hint = { name: 'rateMode', words: { '0': 'curve', '1': 'clamped', '2': 'fixed' } }
const takeOver = (what: string) => ({
  intent: 'Accept ownership',
  sentence: `Takes ${what} over from its owner.`,
})
const upgrade = {
  intent: 'Upgrade the contract',
  sentence: 'Makes the contract run the code at {newImplementation}.',
}

export const lendingFactory = signedContract({
  name: 'LendingFactory',
  abi: lendingFactoryAbi,
  recordedAs: ['LendingFactory'],
  sentences: {
    deployMarket: {
      intent: 'Create a market',
      sentence: 'Creates a market that lends {params.borrowAsset} against {params.collateralToken}.',
      fields: {
        'params.mode': { name: 'collateralMode', words: { '0': 'freeze', '1': 'custody' } },
        'params.priceSource': { name: 'priceSource', words: { '0': 'NAV', '1': 'market' } },
        'params.initialPrice': { token: '#.params.borrowAsset' },
        'params.offer.mode': rateMode,
      },
    },
    nominateCurator: {
      intent: 'Nominate a lender of record',
      sentence: 'Nominates {candidate} as lender of record of {market}.',
    },
    withdrawNomination: {
      intent: 'Withdraw a nomination',
      sentence: 'Takes the nomination of {candidate} for {market} back.',
    },
    commitCuratorClaim: {
      intent: 'Commit to terms',
      sentence: 'Commits to terms for {market} without showing them yet.',
    },
    acceptCuratorRole: {
      intent: 'Become lender of record',
      sentence: 'Makes the signer lender of record of {market}, with {terms.admin} as its admin.',
      fields: { 'terms.realizationMode': realizationMode },
    },
    attestAssetData: {
      intent: 'Attest asset data',
      sentence: 'Attests what {contentHash} says about the collateral of {market}.',
    },
    acknowledgeAssetData: {
      intent: 'Acknowledge asset data',
      sentence: 'Acknowledges what {contentHash} says about the collateral of {market}.',
    },
    acceptOwnership: takeOver('the factory'),
  },
})

export const securityPriceOracle = signedContract({
  name: 'SecurityPriceOracle',
  abi: securityPriceOracleAbi,
  constants: ['borrowAsset'],
  recordedAs: [],
  sentences: {
    updatePrice: {
      intent: 'Set the price',
      sentence: 'Sets the price of the collateral to {newPrice}.',
      fields: { newPrice: cash },
    },
    updatePriceWithSignature: {
      intent: 'Bring a signed price',
      sentence: 'Sets the price of the collateral to {price_}, which was signed at {timestamp}.',
      fields: { price_: cash },
    },
    setAuthorizedSigner: {
      intent: 'Set a price signer',
      sentence: 'Sets whether {signer} may sign prices to {isAuthorized}.',
    },
    acceptOwnership: takeOver('the price oracle'),
  },
})

export const interestRateModel = signedContract({
  name: 'InterestRateModel',
  abi: interestRateModelAbi,
  recordedAs: ['InterestRateModelImplementation'],
  sentences: {
    setRateMode: {
      intent: 'Set the rate mode',
      sentence: 'Sets the rate mode to {mode}.',
      fields: { mode: rateMode },
    },
    setMaxFixedRate: {
      intent: 'Lower the rate ceiling',
      sentence: 'Lowers the ceiling for stamped rates to {newMaxFixedBps}, for ever.',
    },
    acceptOwnership: takeOver('the rate model'),
    upgradeToAndCall: upgrade,
  },
})

export const insuranceFund = signedContract({
  name: 'InsuranceFund',
  abi: insuranceFundAbi,
  constants: ['borrowAsset'],
  recordedAs: ['InsuranceFundImplementation'],
  sentences: {
    topUp: { intent: 'Fill the insurance fund', sentence: 'Adds {amount} to the reserve.', fields: { amount: cash } },
    emergencyWithdraw: {
      intent: 'Withdraw from the insurance fund',
      sentence: 'Withdraws {amount} from the insurance fund to {to}.',
      fields: { amount: cash },
    },
    acceptOwnership: takeOver('the insurance fund'),
    upgradeToAndCall: upgrade,
  },
})

export const liquidationRouter = signedContract({
  name: 'LiquidationRouter',
  abi: liquidationRouterAbi,
  constants: ['borrowAsset', 'collateralToken'],
  recordedAs: ['LiquidationRouterImplementation'],
  sentences: {
    withdrawCollateralForSale: {
      intent: 'Take collateral for sale',
      sentence: 'Sends {amount} of liquidation {id} to the sale recipient.',
      fields: { amount: collateral },
    },
    reportPartialSale: {
      intent: 'Report a sale',
      sentence: 'Brings {proceeds} for {collateralSold} of liquidation {id}.',
      fields: { collateralSold: collateral, proceeds: cash },
    },
    settleLiquidation: {
      intent: 'Settle a liquidation',
      sentence: 'Settles liquidation {id} with {finalProceeds} more.',
      fields: { finalProceeds: cash },
    },
    sellPending: {
      intent: 'Sell at the standing bid',
      sentence: 'Sells what is left of liquidation {id} to the sale recipient at its bid.',
    },
    writeOffLiquidation: { intent: 'Close a liquidation', sentence: 'Closes liquidation {id} with what it brought.' },
    reopenLiquidation: { intent: 'Reopen a liquidation', sentence: 'Reopens liquidation {id}.' },
    setSaleBid: {
      intent: 'Set the sale bid',
      sentence: 'Bids {priceFactorBps} of the oracle price for what is liquidated.',
      fields: { priceFactorBps: { unit: '%', decimals: 2 } },
    },
    setAtomicMode: { intent: 'Switch atomic sales', sentence: 'Sets whether liquidations sell at once to {isAtomic}.' },
    announceSaleRecipient: {
      intent: 'Announce a sale recipient',
      sentence: 'Announces {newRecipient} as the next sale recipient.',
    },
    rotateSaleRecipient: {
      intent: 'Change the sale recipient',
      sentence: 'Makes the announced wallet the sale recipient.',
    },
    authorizeLendingMarket: {
      intent: 'Authorize a source',
      sentence: 'Sets whether the router takes collateral from {source} to {isAuthorized_}.',
    },
    grantRole: { intent: 'Give a role', sentence: 'Gives role {role} to {account}.' },
    revokeRole: { intent: 'Take a role', sentence: 'Takes role {role} from {account}.' },
    upgradeToAndCall: upgrade,
  },
})

export const custodyAdapter = signedContract({
  name: 'CustodyAdapter',
  abi: custodyAdapterAbi,
  constants: ['collateralToken'],
  recordedAs: [],
  sentences: {
    claimEscrowedCollateral: {
      intent: 'Claim collateral',
      sentence: 'Returns the collateral that is escrowed for the signer.',
    },
    claimEscrowOfLostWallet: {
      intent: 'Claim collateral',
      sentence:
        'Returns the collateral that is escrowed for the lost wallet {lostWallet} to the wallet that took its place.',
    },
  },
})

export const freezeAdapter = signedContract({
  name: 'FreezeAdapter',
  abi: freezeAdapterAbi,
  constants: ['collateralToken'],
  recordedAs: [],
  sentences: {
    releaseRecovered: {
      intent: 'Release after a recovery',
      sentence: 'Unfreezes at {newWallet} what a repayment freed of {lostWallet}.',
    },
  },
})

export const dutchAuctionVenue = signedContract({
  name: 'DutchAuctionVenue',
  abi: dutchAuctionVenueAbi,
  constants: ['borrowAsset', 'collateralToken'],
  recordedAs: [],
  sentences: {
    bidOnAuction: {
      intent: 'Buy in an auction',
      sentence: 'Buys {amount} of auction {auctionId} for at most {maxCost}.',
      fields: { amount: collateral, maxCost: cash },
    },
    settleExpiredAuction: {
      intent: 'End an expired auction',
      sentence: 'Ends auction {auctionId} and hands on what it did not sell.',
    },
    deliverUnsold: {
      intent: 'Deliver what was not sold',
      sentence: 'Sends what auction {auctionId} did not sell to the router.',
    },
  },
})

export const lendingVault = signedContract({
  name: 'LendingVault',
  abi: lendingVaultAbi,
  constants: ['borrowAsset'],
  recordedAs: [],
  sentences: {
    deposit: {
      intent: 'Deposit',
      sentence: 'Deposits {amount} into the vault.',
      fields: { amount: cash },
    },
    redeem: {
      intent: 'Redeem',
      sentence: 'Gives {shares} back for what they are worth.',
      fields: { shares: { token: '@.to' } },
    },
    supply: {
      intent: 'Lend to a market',
      sentence: 'Puts {amount} of idle money into the pool of {market}.',
      fields: { amount: cash },
    },
    withdraw: {
      intent: 'Take money from a market',
      sentence: 'Gives {shares} shares of the pool of {market} back.',
      fields: { shares: { unit: '', decimals: 18 } },
    },
    setDrawCap: {
      intent: 'Set a draw cap',
      sentence: 'Lets {market} hold at most {cap} of the vault.',
      fields: { cap: cash },
    },
    announceDrawCap: {
      intent: 'Announce a draw cap',
      sentence: 'Announces that {market} may hold {cap} of the vault.',
      fields: { cap: cash },
    },
    cancelAnnouncement: {
      intent: 'Cancel an announcement',
      sentence: 'Takes back what was announced for {market}.',
    },
    removeMarket: { intent: 'Leave a market', sentence: 'Takes {market} off the markets that the vault serves.' },
    collectDistributorFees: {
      intent: 'Collect distributor fees',
      sentence: 'Collects the distributor fees that {market} booked for the vault.',
    },
    payDistributor: { intent: 'Pay a distributor', sentence: 'Pays {distributor} its distributor fees.' },
    payOperatorFees: { intent: 'Pay operator fees', sentence: 'Pays the booked operator fees of the vault.' },
    acceptOwnership: takeOver('the vault'),
  },
})
