import type { Bound, BuildShape, GetLoan } from '@tallystick/sdk'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { tally } from '../api/client.ts'
import {
  type Market,
  type Position,
  type ReadMarket,
  readOf,
  useExtensions,
  useLoan,
  useMarket,
  usePositions,
} from '../api/lending.ts'
import { useOwnAddress } from '../api/session.ts'
import { saveFile } from '../lib/csv.ts'
import { add, divide, parseDecimal, plainDecimal } from '../lib/decimal.ts'
import { showWords } from '../lib/format.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { Address, Amount, AsOf, Copy, Percent, When } from '../ui/figures.tsx'
import { Icon } from '../ui/icon.tsx'
import { Fault, Loaded } from '../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead, Panel, Stat, Stats } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { amountFault, healthOf, shifted, typedAmount } from './amounts.ts'
import { Health } from './health.tsx'
import { BackTo } from './market.tsx'
import { nameOf } from './market-state.tsx'

const text = t.loans
type Loan = GetLoan['data']

export function LoanPage() {
  const { marketId = '', loanId = '' } = useParams({ strict: false })
  const { market, ...query } = useMarket(marketId)
  const loan = useLoan(marketId, loanId)
  return (
    <Loaded query={query} rows={8}>
      {() =>
        market ? (
          <Loaded query={loan} rows={8}>
            {({ data, metadata }) => <Details market={market} loan={data} metadata={metadata} />}
          </Loaded>
        ) : (
          <Empty title={t.faults.missing} />
        )
      }
    </Loaded>
  )
}

interface Props {
  readonly market: Market
  readonly loan: Loan
}

function Details({ market, loan, metadata }: Props & { metadata: { requestId: string; timestamp: string } }) {
  const read = readOf(market)
  const positions = usePositions(market.id)
  const position = positions.data?.data.positions.find(({ onChainLoanId }) => onChainLoanId === loan.loanId)
  const unit = market.borrowAssetSymbol
  return (
    <>
      <PageHead
        back={<BackTo to="/markets/$marketId" params={{ marketId: market.id }} name={nameOf(market)} />}
        title={`${text.of} ${loan.loanId}`}
        about={
          <span className="inline-flex flex-wrap items-center gap-2">
            {text.borrower} <Address value={loan.borrower} />
            {loan.inAuction ? <Badge tone="warn">{text.inAuction}</Badge> : null}
            {loan.active ? null : <Badge>{position ? text.status[position.status] : text.closed}</Badge>}
            {loan.collateralIntact ? null : <Badge tone="bad">{text.notIntact}</Badge>}
          </span>
        }
        aside={
          <>
            <AsOf metadata={metadata} />
            {position ? <Statement market={market} position={position} /> : null}
          </>
        }
      />
      <Stats>
        <Stat name={text.health}>
          <Health value={loan.healthFactor} />
        </Stat>
        <Stat name={text.principal}>
          <Amount value={loan.principal} unit={unit} />
        </Stat>
        <Stat name={text.interest}>
          <Amount value={loan.accruedInterest} unit={unit} />
        </Stat>
        <Stat name={text.collateral}>
          <Amount value={loan.collateralAmount} unit={market.collateralTokenSymbol} />
        </Stat>
        <Stat name={text.due} note={loan.term ? <When at={loan.term.effectiveDueAt} as="distance" /> : undefined}>
          {loan.term ? <When at={loan.term.effectiveDueAt} as="day" /> : text.noTerm}
        </Stat>
        <Stat name={text.rate} note={loan.fixedRateBps === null ? undefined : text.rateFixed}>
          <Percent bps={loan.fixedRateBps ?? read?.borrowRate} />
        </Stat>
      </Stats>
      <div className="mt-4 grid gap-4 lg:grid-cols-2">
        {loan.active ? <Manage market={market} loan={loan} /> : null}
        {loan.active && read ? <Stress market={market} loan={loan} read={read} /> : null}
        <Extensions market={market} loan={loan} />
        <Panel title={text.compliance}>
          <Facts>
            <Fact name={text.returnable}>
              <Badge tone={loan.compliance.collateralReturnable === false ? 'bad' : 'good'}>
                {loan.compliance.collateralReturnable === false ? text.complianceBad : text.complianceOk}
              </Badge>
            </Fact>
            {loan.compliance.reason ? <Fact name={loan.compliance.code}>{loan.compliance.reason}</Fact> : null}
            <Fact name={text.threshold}>
              <Percent bps={loan.liquidationThresholdBps} />
            </Fact>
            <Fact name={text.payee}>
              {loan.payee ? <Address value={loan.payee} /> : <Address value={loan.borrower} />}
            </Fact>
          </Facts>
        </Panel>
      </div>
      {position ? (
        <div className="mt-4">
          <History position={position} market={market} />
        </div>
      ) : null}
    </>
  )
}

function Statement({ market, position }: { market: Market; position: Position }) {
  const [fault, setFault] = useState<unknown>()
  async function save() {
    setFault(undefined)
    try {
      const file = await tally.lending.getLoanStatement({ params: { marketId: market.id, positionId: position.id } })
      saveFile(file.name ?? `loan-${position.onChainLoanId}.pdf`, file.bytes as BlobPart, file.contentType)
    } catch (error) {
      setFault(error)
    }
  }
  return fault === undefined ? (
    <Button onClick={() => void save()}>
      <Icon name="file" /> {text.statement}
    </Button>
  ) : (
    <Fault error={fault} again={() => void save()} />
  )
}

/** What the loan would be worth at another price, exact to the digits shown. */
function Stress({ market, loan, read }: Props & { read: ReadMarket }) {
  const [bps, setBps] = useState(0)
  const price = parseDecimal(read.price)
  const health = loan.healthFactor === null ? undefined : parseDecimal(loan.healthFactor)
  const edge = price && health && health.units > 0n ? divide(price, health, 4) : undefined
  return (
    <Panel title={text.stress}>
      <label className="block">
        <span className="flex justify-between text-sm">
          <span className="text-muted">{text.stressAt}</span>
          <span className="num font-medium">
            {bps > 0 ? '+' : ''}
            {bps / 100} %
          </span>
        </span>
        <input
          type="range"
          min={-9000}
          max={10000}
          step={100}
          value={bps}
          onChange={(event) => setBps(Number(event.target.value))}
          className="mt-2 w-full"
        />
      </label>
      <Facts>
        <Fact name={text.price}>
          <Amount value={price ? plainDecimal(shifted(price, bps)) : null} unit={market.borrowAssetSymbol} />
        </Fact>
        <Fact name={text.health}>
          <Health value={health ? plainDecimal(shifted(health, bps)) : null} />
        </Fact>
        <Fact name={text.liquidationPrice}>
          <Amount value={edge ? plainDecimal(edge) : null} unit={market.borrowAssetSymbol} />
        </Fact>
      </Facts>
      <p className="mt-2 text-xs text-muted">{text.stressAbout}</p>
    </Panel>
  )
}

const CODES = {
  BELOW_MIN_BORROW: 'amount',
  EXCEEDS_MAX_BORROW: 'amount',
  INSUFFICIENT_LIQUIDITY: 'amount',
  INSUFFICIENT_FREE_COLLATERAL: 'amount',
  SUPPLY_CAP_EXCEEDED: 'amount',
  USER_SUPPLY_CAP_EXCEEDED: 'amount',
  EXCEEDS_COLLATERAL: 'amount',
  WITHDRAWAL_TOO_LARGE: 'amount',
  UNHEALTHY_AFTER_WITHDRAWAL: 'amount',
}

function Manage({ market, loan }: Props) {
  const [tab, setTab] = useState('repay')
  const own = useOwnAddress()
  const isOwn = own?.toLowerCase() === loan.borrower.toLowerCase()
  const { borrowMore, repayLoan, addCollateral, withdrawCollateral } = tally.lending
  const params = { marketId: market.id }
  const { loanId } = loan
  const shared = { market, loan }
  const tabs = [
    {
      key: 'repay',
      name: text.tabs.repay,
      content: (
        <AmountForm
          key="repay"
          {...shared}
          method={repayLoan}
          title={`${text.tabs.repay}: ${text.of} ${loanId}`}
          unit={market.borrowAssetSymbol}
          signer={own}
          all={text.everything}
          effect={{ debt: -1 }}
          request={(amount) => ({
            params,
            body: {
              loanId,
              ...(amount === 'all' ? { all: true } : { amount }),
              ...(own ? { payerAddress: own } : {}),
            },
          })}
        />
      ),
    },
    {
      key: 'borrow',
      name: text.tabs.borrow,
      content: (
        <AmountForm
          key="borrow"
          {...shared}
          method={borrowMore}
          title={`${text.tabs.borrow}: ${text.of} ${loanId}`}
          unit={market.borrowAssetSymbol}
          signer={loan.borrower}
          effect={{ debt: 1 }}
          request={(amount) => ({ params, body: { loanId: Number(loanId), amount } })}
        />
      ),
    },
    {
      key: 'add',
      name: text.tabs.add,
      content: (
        <AmountForm
          key="add"
          {...shared}
          method={addCollateral}
          title={`${text.tabs.add}: ${text.of} ${loanId}`}
          unit={market.collateralTokenSymbol}
          signer={loan.borrower}
          effect={{ collateral: 1 }}
          request={(amount) => ({ params, body: { loanId, amount } })}
        />
      ),
    },
    {
      key: 'withdraw',
      name: text.tabs.withdraw,
      content: (
        <AmountForm
          key="withdraw"
          {...shared}
          method={withdrawCollateral}
          title={`${text.tabs.withdraw}: ${text.of} ${loanId}`}
          unit={market.collateralTokenSymbol}
          signer={loan.borrower}
          effect={{ collateral: -1 }}
          request={(amount) => ({ params, body: { loanId, amount } })}
        />
      ),
    },
    ...(loan.debtFree ? [{ key: 'close', name: text.tabs.close, content: <Close market={market} loan={loan} /> }] : []),
  ]
  return (
    <Panel title={text.actions}>
      <Tabs label={text.actions} tabs={tabs} value={tab} onChange={setTab} />
      {isOwn ? null : <p className="mt-3 text-xs text-muted">{text.notYours}</p>}
    </Panel>
  )
}

interface FormProps<S extends BuildShape> extends Props {
  readonly method: Bound<S>
  readonly title: string
  readonly unit: string | null
  readonly signer: `0x${string}` | undefined
  readonly request: (amount: string) => S['request']
  readonly all?: string
  /** What the amount does to the loan. */
  readonly effect: { readonly debt?: 1 | -1; readonly collateral?: 1 | -1 }
}

function AmountForm<S extends BuildShape>({
  market,
  loan,
  method,
  title,
  unit,
  signer,
  request,
  all,
  effect,
}: FormProps<S>) {
  const [amount, setAmount] = useState('')
  const [isAll, setAll] = useState(false)
  const { start, isBuilding, faults, clear } = useWrite(method, { title, signer, fields: CODES })
  const read = readOf(market)
  const typed = typedAmount(amount)
  const after = read && typed && !isAll ? afterwards(loan, read.price, typed, effect) : null
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        void start(request(isAll ? 'all' : amount.trim()))
      }}
    >
      <Field
        label={text.amount}
        inputMode="decimal"
        unit={unit}
        value={isAll ? '' : amount}
        disabled={isAll}
        onChange={(value) => {
          setAmount(value)
          clear()
        }}
        fault={isAll ? undefined : (faults.amount ?? amountFault(amount))}
      />
      {all ? (
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} /> {all}
        </label>
      ) : null}
      <Facts>
        <Fact name={text.healthAfter}>
          <Health value={after} />
        </Fact>
      </Facts>
      {faults[''] ? <Notice tone="bad">{faults['']}</Notice> : null}
      <Button type="submit" look="primary" className="w-full" disabled={isBuilding || !(isAll || typed)}>
        {text.review}
      </Button>
    </form>
  )
}

function afterwards(
  loan: Loan,
  price: string,
  amount: NonNullable<ReturnType<typeof typedAmount>>,
  { debt, collateral }: FormProps<BuildShape>['effect'],
): string | null {
  const [principal, interest, pledged] = [
    parseDecimal(loan.principal),
    parseDecimal(loan.accruedInterest),
    parseDecimal(loan.collateralAmount),
  ]
  if (!principal || !interest || !pledged) return null
  const moved = (sign: 1 | -1 | undefined) => ({ units: amount.units * BigInt(sign ?? 0), scale: amount.scale })
  const owed = add(add(principal, interest), moved(debt))
  const kept = add(pledged, moved(collateral))
  if (owed.units <= 0n || kept.units < 0n) return null
  const health = healthOf(kept, price, loan.liquidationThresholdBps, owed)
  return health ? plainDecimal(health) : null
}

function Close({ market, loan }: Props) {
  const { start, isBuilding, faults } = useWrite(tally.lending.closeLoan, {
    title: `${text.tabs.close}: ${text.of} ${loan.loanId}`,
    signer: loan.borrower,
  })
  return (
    <div className="space-y-3">
      {faults[''] ? <Notice tone="bad">{faults['']}</Notice> : null}
      <Button
        look="primary"
        className="w-full"
        disabled={isBuilding}
        onClick={() => void start({ params: { marketId: market.id }, body: { loanId: loan.loanId } })}
      >
        {text.review}
      </Button>
    </div>
  )
}

function Extensions({ market, loan }: Props) {
  const query = useExtensions(market.id)
  return (
    <Panel title={text.extensions}>
      <Loaded query={query}>
        {({ data }) => {
          const own = data.proposals.filter(
            ({ loanId, preview, kind }) =>
              loanId === loan.loanId || kind === 'FLOOR' || preview?.touched.some((one) => one.loanId === loan.loanId),
          )
          return (
            <div className="space-y-3">
              {own.length === 0 ? (
                <p className="text-sm text-muted">
                  {text.extensionsEmpty}. {text.extensionsAbout}
                </p>
              ) : (
                <ul className="divide-y divide-line">
                  {own.map((proposal) => (
                    <Offer key={proposal.proposalId} market={market} proposal={proposal} />
                  ))}
                </ul>
              )}
              {loan.active && loan.dueAt !== null ? <Propose market={market} loan={loan} /> : null}
            </div>
          )
        }}
      </Loaded>
    </Panel>
  )
}

type Proposal = NonNullable<ReturnType<typeof useExtensions>['data']>['data']['proposals'][number]

function stateOf({ cancelled, consumed, expired, confirmed }: Proposal): keyof typeof text.state {
  if (cancelled) return 'cancelled'
  if (consumed) return 'consumed'
  if (expired) return 'expired'
  return confirmed ? 'confirmed' : 'open'
}

function Offer({ market, proposal }: { market: Market; proposal: Proposal }) {
  const state = stateOf(proposal)
  const { proposalId } = proposal
  const confirm = useWrite(tally.lending.actOnExtension, { title: text.confirm })
  const apply = useWrite(tally.lending.actOnExtension, { title: text.apply })
  const cancel = useWrite(tally.lending.actOnExtension, { title: text.cancel })
  const params = (action: 'confirm' | 'apply' | 'cancel') => ({ params: { marketId: market.id, proposalId, action } })
  // A batch moves page by page, and anybody may send the next one.
  const toMove = state === 'confirmed' && proposal.kind === 'BATCH' ? (proposal.preview?.touched ?? []) : []
  const fault = confirm.faults[''] ?? apply.faults[''] ?? cancel.faults['']
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-2">
      <span>
        <span className="block text-sm font-medium">
          {text.newDue}: <When at={proposal.newDueAt} as="day" />
        </span>
        <span className="block text-xs text-muted">
          {text.kinds[proposal.kind]} · {text.validUntil} <When at={proposal.validUntil} as="day" />
        </span>
        {fault ? <span className="block text-xs text-bad">{fault}</span> : null}
      </span>
      <span className="inline-flex items-center gap-1">
        <Badge tone={state === 'open' ? 'accent' : 'neutral'}>{text.state[state]}</Badge>
        {toMove.length === 0 ? null : (
          <Button
            small
            disabled={apply.isBuilding}
            onClick={() =>
              void apply.start({ ...params('apply'), body: { loanIds: toMove.map(({ loanId }) => loanId) } })
            }
          >
            {text.applyTo(toMove.length)}
          </Button>
        )}
        {state === 'open' ? (
          <>
            <Button small disabled={confirm.isBuilding} onClick={() => void confirm.start(params('confirm'))}>
              {text.confirm}
            </Button>
            <Button
              small
              look="danger"
              disabled={cancel.isBuilding}
              onClick={() => void cancel.start(params('cancel'))}
            >
              {text.cancel}
            </Button>
          </>
        ) : null}
      </span>
    </li>
  )
}

type ExtensionKind = Proposal['kind']
const KINDS: readonly ExtensionKind[] = ['LOAN', 'BATCH', 'FLOOR']

function Propose({ market, loan }: Props) {
  const [date, setDate] = useState('')
  const [kind, setKind] = useState<ExtensionKind>('LOAN')
  const { start, isBuilding, faults, clear } = useWrite(tally.lending.proposeExtension, { title: text.propose })
  const newDueAt = date === '' ? undefined : Math.floor(new Date(`${date}T12:00:00`).getTime() / 1000)
  return (
    <form
      className="grid gap-2 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault()
        const ofLoan = kind === 'LOAN' ? { loanId: loan.loanId } : {}
        if (newDueAt) void start({ params: { marketId: market.id }, body: { kind, ...ofLoan, newDueAt } })
      }}
    >
      <Choice
        label={text.covers}
        value={kind}
        options={KINDS.map((value) => ({ value, name: text.kinds[value] }))}
        onChange={(value) => {
          setKind(value)
          clear()
        }}
      />
      <Field
        label={text.newDue}
        type="date"
        value={date}
        onChange={(value) => {
          setDate(value)
          clear()
        }}
        fault={faults.newDueAt ?? faults['']}
      />
      <Button type="submit" className="h-10 sm:col-span-2" disabled={isBuilding || newDueAt === undefined}>
        {text.propose}
      </Button>
    </form>
  )
}

type Entry = Position['transactions'][number]

/** What moved: the collateral, or the money. Of the rest the service does not say. */
const IN_COLLATERAL = /^(DEPOSIT|COLLATERAL_.*)$/
const IN_MONEY = /^(BORROW|REPAY|OPEN_FEE|REPAY_FEE)$/

const entriesOf = ({ collateralTokenSymbol, borrowAssetSymbol }: Market): readonly Column<Entry>[] => [
  {
    key: 'what',
    name: text.entry.what,
    cell: ({ txType }) => text.entries[txType] ?? showWords(txType),
    csv: ({ txType }) => txType,
  },
  {
    key: 'amount',
    name: text.amount,
    number: true,
    cell: ({ amount, txType }) => (
      <Amount
        value={amount}
        unit={
          IN_COLLATERAL.test(txType) ? collateralTokenSymbol : IN_MONEY.test(txType) ? borrowAssetSymbol : undefined
        }
      />
    ),
    csv: ({ amount }) => amount,
  },
  {
    key: 'who',
    name: text.entry.by,
    wide: true,
    cell: ({ userAddress }) => <Address value={userAddress} />,
    csv: ({ userAddress }) => userAddress,
  },
  {
    key: 'when',
    name: text.entry.when,
    cell: ({ timestamp }) => <When at={timestamp} />,
    csv: ({ timestamp }) => timestamp,
  },
  {
    key: 'hash',
    name: t.transactions.columns.hash,
    wide: true,
    cell: ({ txHash }) => (
      <span className="inline-flex items-center font-mono text-xs">
        {txHash.slice(0, 10)}… <Copy text={txHash} label={t.transactions.columns.hash} />
      </span>
    ),
    csv: ({ txHash }) => txHash,
  },
]

const History = ({ position, market }: { position: Position; market: Market }) => (
  <Table
    title={text.history}
    rows={position.transactions}
    columns={entriesOf(market)}
    rowKey={({ id }) => id}
    empty={<Empty title={t.none} />}
  />
)
