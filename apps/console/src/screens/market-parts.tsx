import type { BuildMethod, BuildShape, GetUpgradeStatus, Hex } from '@tallystick/sdk'
import { tally } from '../api/client.ts'
import {
  type Market,
  readOf,
  useAuctionModule,
  useFeeSplit,
  useMetrics,
  useOracle,
  useSetup,
  useUpgrades,
} from '../api/lending.ts'
import { useSignedIn } from '../api/session.ts'
import { showDuration, showWords } from '../lib/format.ts'
import { openJob } from '../signing/job.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Address, Amount, AsOf, Percent } from '../ui/figures.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, Fact, Facts, Panel } from '../ui/panel.tsx'

const text = t.markets

const YesNo = ({ value }: { value: boolean | null | undefined }) =>
  value === null || value === undefined ? (
    <span className="text-muted">–</span>
  ) : (
    <Badge tone={value ? 'good' : 'neutral'}>{value ? t.yes : t.no}</Badge>
  )

export function Parameters({ market }: { market: Market }) {
  const oracle = useOracle(market.id)
  const read = readOf(market)
  const names = text.parameters
  if (!read) return <Empty title={text.unreadable} />
  const { borrowAssetSymbol, collateralTokenSymbol } = market
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title={names.title}>
        <Facts>
          <Fact name={names.collateralFactor}>
            <Percent bps={read.collateralFactor} />
          </Fact>
          <Fact name={names.liquidationThreshold}>
            <Percent bps={read.liquidationThreshold} />
          </Fact>
          <Fact name={names.liquidationBonus}>
            <Percent bps={read.liquidationBonus} />
          </Fact>
          <Fact name={names.closeFactor}>
            <Percent bps={read.closeFactor} />
          </Fact>
          <Fact name={names.protocolFeeRate}>
            <Percent bps={read.protocolFeeRate} />
          </Fact>
          <Fact name={names.reserveRatio}>
            <Percent bps={read.reserveRatio} />
          </Fact>
          <Fact name={names.minBorrow}>
            <Amount value={read.minBorrowAmount} unit={borrowAssetSymbol} />
          </Fact>
          <Fact name={names.maxTotal}>
            <Amount value={read.maxTotalCollateral} unit={collateralTokenSymbol} />
          </Fact>
          <Fact name={names.maxUser}>
            <Amount value={read.maxUserCollateral} unit={collateralTokenSymbol} />
          </Fact>
          <Fact name={names.duration}>{showDuration(read.maxLoanDuration)}</Fact>
          <Fact name={names.grace}>{showDuration(read.termGracePeriod)}</Fact>
          <Fact name={names.penalty}>
            <Percent bps={read.termPenalty} />
          </Fact>
          <Fact name={names.extension}>
            <YesNo value={read.allowExtension} />
          </Fact>
        </Facts>
      </Panel>
      <Panel title={names.who}>
        <Facts>
          <Fact name={names.lender}>
            <Address value={read.curator} />
          </Fact>
          <Fact name={names.owner}>
            <Address value={oracle.data?.data.owner} />
          </Fact>
          <Fact name={names.signer}>
            <Address value={oracle.data?.data.priceSigner ?? oracle.data?.data.signerAddress} />
          </Fact>
          <Fact name={names.rateMode}>{showWords(read.rateMode)}</Fact>
          <Fact name={names.realization}>{showWords(read.realizationMode)}</Fact>
          <Fact name={names.market}>
            <Address value={market.marketAddress} />
          </Fact>
          <Fact name={names.collateral}>
            <Address value={market.collateralTokenAddress} name={collateralTokenSymbol} />
          </Fact>
          <Fact name={names.asset}>
            <Address value={market.borrowAssetAddress} name={borrowAssetSymbol} />
          </Fact>
          <Fact name={names.oracle}>
            <Address value={market.oracleAddress} />
          </Fact>
          <Fact name={names.registry}>
            <Address value={read.identityRegistryAddress} />
          </Fact>
        </Facts>
      </Panel>
    </div>
  )
}

/** A step that the chain itself tells to be done: nothing is reported, the list is asked until it says so. */
function openStep(
  market: Market,
  key: string,
  call: { to: Hex; data: string; description: string } | undefined,
  chainId: number,
) {
  if (!call) return
  async function report(): Promise<void> {
    for (;;) {
      const { data } = await tally.lending.getSetupSteps({ params: { marketId: market.id } })
      if (data.steps.some((step) => step.key === key && step.done)) return
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
  openJob({
    id: crypto.randomUUID(),
    title: call.description,
    calls: [
      {
        ...{ to: call.to, data: call.data as Hex, chainId, gas: undefined, requiredSigner: undefined, step: {} },
        description: call.description,
      },
    ],
    reportedAt: 0,
    ...{ transactionId: undefined, simulation: undefined, signer: undefined, role: undefined, note: undefined },
    ...{ fee: undefined, waiting: false, report },
  })
}

export function Setup({ market }: { market: Market }) {
  const query = useSetup(market.id)
  const { chainId } = useSignedIn().instance
  return (
    <Panel title={text.setup.title} flush aside={<AsOf metadata={query.data?.metadata} />}>
      <Loaded query={query}>
        {({ data }) => (
          <>
            <div className="p-4 pb-2">
              <Notice tone={data.complete ? 'good' : 'warn'}>
                {data.complete ? text.setup.complete : text.setup.open}
              </Notice>
            </div>
            <ol className="divide-y divide-line">
              {data.steps.map(({ key, title, done, delegated, blocked, blockedReason, requiredRole, subject }) => (
                <li key={key} className="flex items-start gap-3 px-4 py-2.5">
                  <span
                    className={`mt-0.5 grid size-4 shrink-0 place-items-center rounded-full ${done || delegated ? 'bg-good text-panel' : 'border border-strong text-transparent'}`}
                  >
                    <Icon name="check" className="size-3" />
                  </span>
                  <span className="min-w-0 flex-1">
                    <span className="block font-medium">{title}</span>
                    <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
                      {text.setup.needs} <span title={requiredRole}>{showWords(requiredRole).toLowerCase()}</span>
                      {subject ? <Address value={subject} /> : null}
                    </span>
                    {blockedReason ? <span className="block text-xs text-bad">{blockedReason}</span> : null}
                  </span>
                  <Badge tone={done ? 'good' : delegated ? 'accent' : blocked ? 'bad' : 'warn'}>
                    {done
                      ? text.setup.done
                      : delegated
                        ? text.setup.delegated
                        : blocked
                          ? text.setup.blocked
                          : text.setup.todo}
                  </Badge>
                  {done || delegated || !data.calldata[key] ? null : (
                    <Button small onClick={() => openStep(market, key, data.calldata[key], chainId)}>
                      {text.setup.sign}
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </Panel>
  )
}

export function AuctionModule({ market }: { market: Market }) {
  const query = useAuctionModule(market.id)
  const names = text.auction
  return (
    <Panel title={names.title} aside={<AsOf metadata={query.data?.metadata} />}>
      <Loaded query={query}>
        {({ data }) => (
          <Facts>
            <Fact name={names.venue}>
              <Address value={data.auctionModule} />
            </Fact>
            <Fact name={names.wired}>
              <YesNo value={data.wired} />
            </Fact>
            <Fact name={names.dutch}>
              <YesNo value={data.useDutchAuction} />
            </Fact>
            <Fact name={names.router}>
              <YesNo value={data.routerAuthorized} />
            </Fact>
            <Fact name={names.fund}>
              <YesNo value={data.fundAuthorized} />
            </Fact>
            <Fact name={names.admitted}>
              <YesNo value={data.tokenAdmitted} />
            </Fact>
            <Fact name={names.ready}>
              <YesNo value={data.realizationReady} />
            </Fact>
          </Facts>
        )}
      </Loaded>
    </Panel>
  )
}

interface Sweepable extends BuildShape {
  request: { params: { marketId: string } }
}

function Sweep<S extends Sweepable>({
  method,
  title,
  marketId,
  amount,
  unit,
}: {
  method: BuildMethod<S>
  title: string
  marketId: string
  amount: string | null
  unit: string | null
}) {
  const { start, isBuilding, faults } = useWrite(method, { title: `${text.fees.sweep}: ${title}` })
  const isNothing = amount === null || amount === '0'
  return (
    <Fact
      name={
        <>
          {title}
          {faults[''] ? <span className="block text-xs text-bad">{faults['']}</span> : null}
        </>
      }
    >
      <span className="inline-flex items-center gap-3">
        <Amount value={amount} unit={unit} />
        <Button
          small
          disabled={isBuilding || isNothing}
          aria-label={`${text.fees.sweep} ${title}`}
          onClick={() => void start({ params: { marketId } } as S['request'])}
        >
          {text.fees.sweep}
        </Button>
      </span>
    </Fact>
  )
}

export function Fees({ market }: { market: Market }) {
  const metrics = useMetrics(market.id)
  const split = useFeeSplit(market.id)
  const unit = market.borrowAssetSymbol
  const { sweepOperatorFees, sweepDistributorFees, sweepProtocolFees, sweepInfrastructureFees } = tally.lending
  const shared = { marketId: market.id, unit }
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title={text.fees.title} aside={<AsOf metadata={metrics.data?.metadata} />}>
        <Loaded query={metrics}>
          {({ data }) => (
            <Facts>
              <Sweep
                {...shared}
                method={sweepOperatorFees}
                title={text.fees.operator}
                amount={data.operatorFeesPayable}
              />
              <Sweep
                {...shared}
                method={sweepDistributorFees}
                title={text.fees.distributor}
                amount={data.distributorFeesPayable}
              />
              <Sweep
                {...shared}
                method={sweepProtocolFees}
                title={text.fees.protocol}
                amount={data.protocolFeesPayable}
              />
              <Sweep
                {...shared}
                method={sweepInfrastructureFees}
                title={text.fees.infrastructure}
                amount={data.infrastructureFeesPayable}
              />
            </Facts>
          )}
        </Loaded>
      </Panel>
      <Panel title={text.fees.split}>
        <Loaded query={split}>
          {({ data }) => (
            <Facts>
              {data.legs.map(({ key, perHundred, recipient }) => (
                <Fact key={key} name={text.fees.legs[key] ?? key}>
                  <span className="inline-flex flex-wrap items-center justify-end gap-x-3">
                    {recipient ? <Address value={recipient} /> : null}
                    <Amount value={perHundred} />
                    <span className="text-xs text-muted">{text.fees.perHundred}</span>
                  </span>
                </Fact>
              ))}
            </Facts>
          )}
        </Loaded>
      </Panel>
    </div>
  )
}

const TARGETS = ['market', 'rateModel', 'router', 'insuranceFund'] as const
type Part = GetUpgradeStatus['data']['market']

export function Upgrades({ market }: { market: Market }) {
  const query = useUpgrades(market.id)
  return (
    <Panel title={text.upgrades.title} aside={<AsOf metadata={query.data?.metadata} />}>
      <Loaded query={query}>
        {({ data }) => (
          <Facts>
            {TARGETS.map((target) => (
              <Upgrade key={target} marketId={market.id} target={target} part={data[target]} />
            ))}
          </Facts>
        )}
      </Loaded>
    </Panel>
  )
}

function Upgrade({ marketId, target, part }: { marketId: string; target: (typeof TARGETS)[number]; part: Part }) {
  const name = text.upgrades.names[target]
  const { start, isBuilding, faults } = useWrite(tally.lending.upgradeMarket, {
    title: `${text.upgrades.upgrade}: ${name}`,
  })
  return (
    <Fact
      name={
        <>
          <span className="text-ink">{name}</span>
          <span className="block text-xs">
            {text.setup.needs} <span title={part.requiredRole}>{showWords(part.requiredRole).toLowerCase()}</span>
          </span>
          {faults[''] ? <span className="block text-xs text-bad">{faults['']}</span> : null}
        </>
      }
    >
      <span className="inline-flex flex-wrap items-center justify-end gap-3">
        <Address value={part.currentImplementation} />
        {part.upgradeAvailable ? (
          <>
            <Badge tone="warn">{text.upgrades.available}</Badge>
            <Button
              small
              disabled={isBuilding}
              onClick={() =>
                void start({
                  params: { marketId },
                  body: { target, ...(target === 'market' ? { acknowledgeFeeModelImpact: true } : {}) },
                })
              }
            >
              {text.upgrades.upgrade}
            </Button>
          </>
        ) : (
          <Badge tone={part.readable ? 'good' : 'neutral'}>
            {part.readable ? text.upgrades.current : text.upgrades.unreadable}
          </Badge>
        )}
      </span>
    </Fact>
  )
}
