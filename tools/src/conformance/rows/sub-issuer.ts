import { fieldRows, type Row, row, testsIn } from '../row.ts'

const story = testsIn('apps/server/test/stocks/story.test.ts', 'the story of a stock')
const writes = testsIn('apps/server/src/stocks/writes/every-write.route.test.ts', 'every write of a stock token')

const bySignature = story('removes the bank by calldata that the issuer signs, and the chain refuses its next issue')
const byRelayer = story('removes a broker by the relayer, and the chain refuses its next issue too')
const removal = { section: '4.3', operation: 'removeSubIssuer', leg: 'build' } as const

export const subIssuerRows: readonly Row[] = [
  row(
    '4.3/tokenAddress-in-path',
    'The path names the stock token.',
    testsIn(
      'apps/server/test/stocks/every-stock-route.test.ts',
      'every route of a stock token',
    )('removeSubIssuer finds no token that is another’s or unknown, and says when an address is none'),
  ),
  row(
    '4.3/body-account',
    'account is an address, and required.',
    writes('removeSubIssuer says which fields are missing'),
    writes('removeSubIssuer says what is wrong with a body, on both legs'),
  ),
  row('4.3/body-useRelayer', 'useRelayer is a boolean and may be left out.', bySignature, byRelayer),
  row('4.3/relayed', 'With useRelayer the relayer signs and sends.', byRelayer),
  ...fieldRows({ ...removal, at: 'data' }, byRelayer, {
    transactionHash: ['string', 'Relayed: the hash of what was sent.'],
    tokenAddress: ['string', 'Relayed: the token.'],
    account: ['string', 'Relayed: whose role it was.'],
    role: ['string', 'Relayed: SUB_ISSUER.'],
    action: ['string', 'Relayed: revoked.'],
  }),
  ...fieldRows({ ...removal, at: 'metadata', section: '4.3/metadata' }, byRelayer, {
    requestId: ['string', 'Which request it was.'],
    timestamp: ['string', 'When it was answered.'],
    instanceId: ['string', 'Whose it was.'],
  }),
  row(
    '4.3/nothing-sent',
    'Without it nothing is sent: the caller signs with a wallet that holds the role.',
    bySignature,
  ),
  ...fieldRows({ ...removal, at: 'data' }, bySignature, {
    success: ['boolean', 'Unsigned: true.'],
    txData: ['object', 'Unsigned: what to sign.'],
    'txData.to': ['string', 'The token.'],
    'txData.data': ['string', 'The encoded call of removeSubIssuer.'],
    'txData.value': ['string', '0.'],
  }),
]
