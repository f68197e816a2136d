import { fieldRows, type Row, row, testsIn } from '../row.ts'

const seizures = testsIn('apps/server/src/lending/liquidations/liquidations.route.test.ts', 'the seizures of a market')

const gates = seizures('need gates that the configuration shows, one by one')
const silent = seizures('are read from the record while the chain is silent, and that is said')
const pending = seizures('are pending on the router, then settled, with what the chain says of them')
const free = seizures('need no admission from a token that asks nobody, and nobody has a role before the adoption')

export const liquidationConfigRows: readonly Row[] = [
  ...fieldRows({ section: '4.16', operation: 'getLiquidationConfig', leg: 'read', at: 'data' }, gates, {
    marketId: ['string', 'As in the path.'],
    marketAddress: ['string', 'The market.'],
    liquidationRouterAddress: ['string', 'Its router.'],
    isConfigured: ['boolean', 'true only when the next three are.'],
    routerAuthorized: ['boolean', 'Whether router and market know each other.'],
    routerTokenEligible: ['boolean', 'Whether the token lets the router hold it.'],
    operatorRoleReady: ['boolean', 'Whether the registered wallet holds OPERATOR_ROLE.'],
    'stats.totalLiquidations': ['integer', 'How many there were.', pending],
    'stats.pendingLiquidationDebt': ['string', 'In units of the borrow asset.', pending],
    'stats.totalAuctions': ['integer', 'How many there were.', pending],
    onChainError: ['string', 'Present when the chain could not be read.', silent],
  }),
  row('4.16/three-gates', 'isConfigured is true only when all three hold.', gates),
  row('4.16/no-registry', 'routerTokenEligible is true where no identity registry is on record.', free),
  row(
    '4.16/other-operator',
    'operatorRoleReady reads false when another operator was nominated at the deployment.',
    seizures('have another operator where the adoption named one, and the configuration says so'),
  ),
  row('4.16/unreadable', 'When the chain could not be read, the readiness fields are absent.', silent, gates),
]
