import { fieldRows, type Row, row, testsIn } from '../row.ts'

const steps = testsIn('apps/server/src/lending/setup/get-setup-steps.route.test.ts', 'the setup steps of a market')

const freeze = steps('name who has to do what in FREEZE mode, and give the calls; each disappears once it is done')
const custody = steps('ask for adapter and router as holders in CUSTODY mode')
const complete = steps('are complete when others price and liquidate, and done when the own wallet does')
const walletless = steps('never have a liquidator for an instance without a wallet')
const blocked = steps('are blocked, and only there, when the token can no longer freeze')
const plain = steps('want no admission from a token that asks no register')
const seeking = { operation: 'getSetupSteps', leg: 'read', section: '4.12' } as const

export const setupStepRows: readonly Row[] = [
  ...fieldRows({ ...seeking, at: 'data' }, freeze, {
    complete: ['boolean', 'Whether nothing is missing.', complete],
    mode: ['string', 'FREEZE or CUSTODY.'],
    priceSource: ['string', 'NAV or MARKET.'],
    collateralAgent: ['string|null', 'Who administers the pledge; null before the adoption.', complete],
    liquidationRouterAddress: ['string', 'The router.'],
    relayerAddress: ['string|null', 'The primary verified wallet of the instance, or null.', walletless],
    'steps[].key': ['string', 'Which step.'],
    'steps[].title': ['string', 'What it is, in words.'],
    'steps[].done': ['boolean', 'Whether it is done.'],
    'steps[].requiredRole': ['string', 'Who has to do it.'],
    'steps[].target': ['string|null', 'The contract that is called.', plain],
    'steps[].subject': ['string|null', 'Whom it is about.', walletless],
    'steps[].blocked': ['boolean', 'Only on the step of the freeze adapter: the token cannot freeze.', blocked],
    calldata: ['object', 'The calls of the steps that are not done, by name.'],
    'calldata.grantAdapterAgentRole.to': ['string', 'The contract.'],
    'calldata.grantAdapterAgentRole.data': ['string', 'The call.'],
    'calldata.grantAdapterAgentRole.description': ['string', 'What it does.'],
  }),
  row('4.12/blocked-only-there', 'blocked is on the step of the freeze adapter and on no other.', freeze, custody),
  row('4.12/done-omitted', 'The call of a step that is done is left out.', freeze),
  row(
    '4.12/relayer-primary',
    'relayerAddress is the primary verified wallet, else the oldest.',
    steps('take the primary wallet for the one that liquidates, and the oldest once that is gone'),
  ),
  row('4.12/relayer-null', 'Without a wallet the step of the liquidator is never done.', walletless),
  row('4.12/freeze/grantAdapterAgentRole', 'FREEZE: TOKEN_AGENT_ADMIN.', freeze),
  row(
    '4.12/freeze/verifyRouterOnRegistry',
    'FREEZE: IDENTITY_REGISTRY_AGENT; its call is under verifyRouterAsHolder.',
    freeze,
  ),
  row('4.12/freeze/authorizeOracleSigner', 'FREEZE: ORACLE_OWNER.', freeze),
  row('4.12/freeze/grantLiquidatorRole', 'FREEZE: DEFAULT_ADMIN_ROLE.', freeze),
  row('4.12/custody/verifyAdapterAsHolder', 'CUSTODY: IDENTITY_REGISTRY_AGENT.', custody),
  row('4.12/custody/verifyRouterAsHolder', 'CUSTODY: IDENTITY_REGISTRY_AGENT.', custody),
  row('4.12/custody/authorizeOracleSigner', 'CUSTODY: ORACLE_OWNER.', custody),
  row('4.12/custody/grantLiquidatorRole', 'CUSTODY: DEFAULT_ADMIN_ROLE.', custody),
  row(
    '4.12/token-administrator',
    'The first two steps are of whoever administers the collateral token, and work with that signature.',
    freeze,
    custody,
  ),
]
