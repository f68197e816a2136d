import type { GetAssetData, Hex, Address as MarketAddress } from '@tallystick/sdk'
import { useQuery } from '@tanstack/react-query'
import { tally } from '../api/client.ts'
import { type Market, useAssetDataOf } from '../api/lending.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Address, AsOf, Copy, When } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, Fact, Facts, Panel } from '../ui/panel.tsx'

const text = t.assetData

type State = GetAssetData['data']

export const AssetDataBadge = ({ status }: { status: NonNullable<State['status']> }) => (
  <Badge tone={status === 'DIVERGED' ? 'bad' : status === 'NONE' ? 'neutral' : 'good'}>
    {t.risk.states[status] ?? status}
  </Badge>
)

/** What is said about the collateral, by whom, and whether the lender has seen it. */
export function AssetData({ market, stacked = false }: { market: Market; stacked?: boolean }) {
  const { marketAddress } = market
  return marketAddress === null ? (
    <Empty title={t.markets.unreadable} />
  ) : (
    <Standing marketAddress={marketAddress as MarketAddress} stacked={stacked} />
  )
}

function Standing({ marketAddress, stacked }: { marketAddress: MarketAddress; stacked: boolean }) {
  const query = useAssetDataOf(marketAddress)
  return (
    <div className={`grid gap-4 ${stacked ? '' : 'lg:grid-cols-2'}`}>
      <Panel title={text.title} aside={<AsOf metadata={query.data?.metadata} />}>
        <Loaded query={query}>{({ data }) => <State state={data} />}</Loaded>
      </Panel>
      {query.data?.data.attested?.bundleAvailable ? (
        <Bundle marketAddress={marketAddress} hash={query.data.data.attested.contentHash as Hex} />
      ) : null}
    </div>
  )
}

function State({ state }: { state: State }) {
  const { attested, acknowledged, authority, profile, status, viewer } = state
  if (!state.factorySupport) return <Empty title={text.unsupported} />
  return (
    <div className="space-y-3">
      <p className="text-sm text-muted">{text.about}</p>
      <Facts>
        <Fact name={text.status}>{status ? <AssetDataBadge status={status} /> : '–'}</Fact>
        <Fact name={text.version}>
          <span className="num">{attested?.version ?? 0}</span>
        </Fact>
        <Fact name={text.hash}>
          {attested ? (
            <span className="inline-flex items-center font-mono text-xs">
              {attested.contentHash.slice(0, 10)}… <Copy text={attested.contentHash} label={text.hash} />
            </span>
          ) : (
            '–'
          )}
        </Fact>
        <Fact name={text.attested}>
          <When at={attested?.attestedAt} />
        </Fact>
        <Fact name={text.attestor}>
          <Address value={authority.attestor} />
        </Fact>
        <Fact name={text.acknowledged}>
          <When at={acknowledged?.acknowledgedAt} />
        </Fact>
      </Facts>
      {profile?.changedSinceAttestation ? <Notice tone="warn">{text.changed}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        {viewer.canAttest ? <Attest state={state} /> : null}
        {viewer.canAcknowledge && attested ? <Acknowledge state={state} hash={attested.contentHash as Hex} /> : null}
      </div>
    </div>
  )
}

const marketOf = ({ marketAddress }: State) => ({ market: marketAddress as MarketAddress })

function Attest({ state }: { state: State }) {
  const { start, isBuilding, faults } = useWrite(tally.lending.attestAssetData, {
    title: text.attest,
    signer: (state.authority.attestor ?? undefined) as MarketAddress | undefined,
  })
  return (
    <>
      <Button look="primary" disabled={isBuilding} onClick={() => void start({ params: marketOf(state) })}>
        {text.attest}
      </Button>
      {faults[''] ? <Notice tone="bad">{faults['']}</Notice> : null}
    </>
  )
}

function Acknowledge({ state, hash }: { state: State; hash: Hex }) {
  const { start, isBuilding, faults } = useWrite(tally.lending.acknowledgeAssetData, { title: text.acknowledge })
  return (
    <>
      <Button
        look="primary"
        disabled={isBuilding || state.acknowledged?.contentHash === hash}
        onClick={() => void start({ params: marketOf(state), body: { contentHash: hash } })}
      >
        {text.acknowledge}
      </Button>
      {faults[''] ? <Notice tone="bad">{faults['']}</Notice> : null}
    </>
  )
}

/** The bytes that were hashed, as they are. */
function Bundle({ marketAddress, hash }: { marketAddress: MarketAddress; hash: Hex }) {
  const query = useQuery({
    queryKey: ['asset-data-bundle', marketAddress, hash],
    queryFn: () => tally.lending.getAssetDataBundle({ params: { market: marketAddress }, query: { hash } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Panel title={text.bundle}>
      <Loaded query={query}>
        {({ data }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached from the keyboard
          <section aria-label={text.bundle} tabIndex={0} className="max-h-96 overflow-auto">
            <pre className="text-xs whitespace-pre-wrap break-words">{JSON.stringify(data.bundle, null, 2)}</pre>
          </section>
        )}
      </Loaded>
    </Panel>
  )
}
