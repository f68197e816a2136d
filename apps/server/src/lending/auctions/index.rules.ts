export { type AuctionOnChain, shownAuction, type VenueConditions } from './auction.rules.ts'
