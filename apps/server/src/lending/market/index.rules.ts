export { rateOffer } from './offering.rules.ts'
export { onChainMarket, orNull, providersPartWad, utilizationWad, wadAsBps } from './on-chain-market.rules.ts'
export { storedMarket } from './stored-market.rules.ts'
