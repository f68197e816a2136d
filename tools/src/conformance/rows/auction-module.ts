import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const folder = 'apps/server/src/lending/auctions'
const read = testsIn(`${folder}/get-auction-module.route.test.ts`, 'the auction module of a market')
const story = testsIn('apps/server/test/lending/auction-story.test.ts', 'the story of two auctions')

const unwired = read('is not wired at first, and then nothing is said about its admission')
const wired = read('shows every authorization as it comes, in one round trip once the record knows the venue')
const silent = read('does not take silence for an answer')
const admissions = read('needs no admission from a free token, and a place on the list of one that keeps a list')
const operation = 'getAuctionModule'

export const auctionModuleRows: readonly Row[] = [
  row('4.10/live', 'Read live from the chain.', wired),
  ...fieldRows({ section: '4.10', operation, leg: 'read', at: 'data' }, wired, {
    auctionModule: ['string|null', 'Address of the venue, lowercased.', unwired],
    wired: ['boolean|null', 'null when the market could not be read.', silent],
    readFailed: ['boolean', 'true when the read of the venue failed.', silent],
    useDutchAuction: ['boolean|null', 'While on, a liquidation seizes into the venue.', silent],
    routerAuthorized: ['boolean|null', 'Whether the router takes from the venue.', silent],
    fundAuthorized: ['boolean|null', 'Whether the insurance fund lists the venue.', silent],
    tokenAdmitted: ['boolean|null', 'Whether the collateral token lets the venue hold it.', silent],
    tokenAdmissionRequirement: ['string', 'What the token asks for.'],
    tokenAdmissionRegistry: ['string', 'The identity registry, where there is one.'],
    realizationReady: ['boolean', 'true only when token, fund and router all say yes.'],
  }),
  row(
    '4.10/opens-an-auction',
    'While auctions are on, a liquidation opens one at the venue.',
    story('opens an auction for half of a loan that the price has left behind'),
  ),
  row('4.10/adapter_must_be_verified_holder', 'What a token with an identity registry asks for.', wired),
  row('4.10/adapter_must_be_authorized_contract', 'What a token with a list asks for.', admissions),
  row('4.10/none_required', 'What a free token asks for.', admissions),
  row('4.10/holder_status_unreadable', 'When the registry does not answer.', silent),
  row('4.10/unknown', 'When the token does not answer.', silent),
  row(
    '4.10/ready-needs-the-fund',
    'Without the fund it is not ready: wired through this interface it reads false.',
    wired,
  ),
  row('4.10/unwired', 'Without a venue, tokenAdmitted and the fields after it are absent.', unwired),
  row('4.10/registry-absent', 'Without an identity registry, tokenAdmissionRegistry is absent.', admissions),
  ...codeRows('7/4.10', operation, 'read', {
    MISSING_MARKET_ID: [400, 'marketId longer than 100 characters'],
    MARKET_NOT_FOUND: [404, 'no such market'],
  }),
]
