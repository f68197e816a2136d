import type { Address as AddressValue, Bound, BuildShape, GetVault } from '@tallystick/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { tally } from '../api/client.ts'
import { useVault, useVaultHistory } from '../api/lending.ts'
import { useOwnAddress } from '../api/session.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Address, Amount, AsOf, When } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead, Panel, Stat, Stats } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { amountFault, typedAmount } from './amounts.ts'
import { BackTo } from './market.tsx'
import { VaultHistory } from './vault-history.tsx'

const text = t.vaults
type Vault = GetVault['data']
type Allocation = Vault['onChain']['allocations'][number]

export function VaultPage() {
  const { vaultAddress = '' } = useParams({ strict: false })
  const own = useOwnAddress()
  const query = useVault(vaultAddress as AddressValue, own)
  return (
    <Loaded query={query} rows={8}>
      {({ data, metadata }) => <Details vault={data} metadata={metadata} />}
    </Loaded>
  )
}

function Details({ vault, metadata }: { vault: Vault; metadata: { requestId: string; timestamp: string } }) {
  const { onChain, asset } = vault
  const history = useVaultHistory(vault.vaultAddress)
  const columns: readonly Column<Allocation>[] = [
    {
      key: 'market',
      name: t.loans.columns.market,
      cell: ({ marketAddress, marketId }) =>
        marketId ? (
          <Link to="/markets/$marketId" params={{ marketId }} className="hover:underline">
            <Address value={marketAddress} />
          </Link>
        ) : (
          <Address value={marketAddress} />
        ),
      csv: ({ marketAddress }) => marketAddress,
    },
    {
      key: 'value',
      name: text.value,
      number: true,
      cell: ({ value }) => <Amount value={value} unit={asset.symbol} />,
      csv: ({ value }) => value,
    },
    {
      key: 'now',
      name: text.withdrawable,
      number: true,
      wide: true,
      cell: ({ withdrawableNow }) => <Amount value={withdrawableNow} unit={asset.symbol} />,
      csv: ({ withdrawableNow }) => withdrawableNow,
    },
    {
      key: 'cap',
      name: text.cap,
      number: true,
      cell: ({ drawCap }) => <Amount value={drawCap} unit={asset.symbol} />,
      csv: ({ drawCap }) => drawCap,
    },
  ]
  return (
    <>
      <PageHead
        back={<BackTo to="/vaults" name={text.title} />}
        title={vault.name}
        about={
          <span className="inline-flex flex-wrap items-center gap-2">
            {vault.symbol} <Address value={vault.vaultAddress} />
            <Badge tone={onChain.depositsPaused ? 'warn' : 'good'}>
              {onChain.depositsPaused ? text.paused : text.open}
            </Badge>
          </span>
        }
        aside={<AsOf metadata={metadata} />}
      />
      <Stats>
        <Stat name={text.total}>
          <Amount value={onChain.totalAssets} unit={asset.symbol} />
        </Stat>
        <Stat name={text.sharePrice}>
          <Amount value={onChain.sharePrice} digits={6} />
        </Stat>
        <Stat name={text.idle}>
          <Amount value={onChain.idleAssets} unit={asset.symbol} />
        </Stat>
        <Stat name={text.allocated}>
          <Amount value={onChain.allocatedAssets} unit={asset.symbol} />
        </Stat>
        <Stat name={text.redeemable}>
          <Amount value={onChain.redeemableNow} unit={asset.symbol} />
        </Stat>
        <Stat name={text.shares}>
          <Amount value={onChain.totalShares} />
        </Stat>
      </Stats>
      <div className="mt-4 grid gap-4 lg:grid-cols-2">
        <Move vault={vault} />
        <Panel title={text.holding}>
          <Facts>
            <Fact name={text.shares}>
              <Amount value={vault.holder?.shares} unit={vault.symbol} />
            </Fact>
            <Fact name={text.value}>
              <Amount value={vault.holder?.value} unit={asset.symbol} />
            </Fact>
            <Fact name={text.redeemable}>
              <Amount value={vault.holder?.redeemableNow} unit={asset.symbol} />
            </Fact>
            {vault.holder?.matureAt ? (
              <Fact name={t.loans.due}>
                <When at={vault.holder.matureAt} />
              </Fact>
            ) : null}
            <Fact name={text.owner}>
              <Address value={onChain.owner} />
            </Fact>
          </Facts>
        </Panel>
      </div>
      <div className="mt-4 space-y-4">
        <VaultHistory query={history} sharePrice={onChain.sharePrice} />
        <Table
          title={text.where}
          rows={onChain.allocations}
          columns={columns}
          rowKey={({ marketAddress }) => marketAddress}
          empty={<Empty title={text.whereEmpty}>{text.whereAbout}</Empty>}
        />
      </div>
    </>
  )
}

function Move({ vault }: { vault: Vault }) {
  const [tab, setTab] = useState('deposit')
  const own = useOwnAddress()
  const params = { vaultAddress: vault.vaultAddress }
  const holder = own ? { holderAddress: own } : {}
  const { depositToVault, redeemFromVault } = tally.lending
  const tabs = [
    {
      key: 'deposit',
      name: text.deposit,
      content: (
        <AmountForm
          method={depositToVault}
          title={text.deposit}
          label={text.amount}
          unit={vault.asset.symbol}
          request={(amount) => ({ params, body: { amount, ...holder } })}
        />
      ),
    },
    {
      key: 'redeem',
      name: text.redeem,
      content: (
        <AmountForm
          method={redeemFromVault}
          title={text.redeem}
          label={text.sharesToRedeem}
          unit={vault.symbol}
          request={(shares) => ({ params, body: { shares, ...holder } })}
        />
      ),
    },
  ]
  return (
    <Panel title={vault.name}>
      <Tabs label={vault.name} tabs={tabs} value={tab} onChange={setTab} />
    </Panel>
  )
}

interface FormProps<S extends BuildShape> {
  readonly method: Bound<S>
  readonly title: string
  readonly label: string
  readonly unit: string
  readonly request: (amount: string) => S['request']
}

function AmountForm<S extends BuildShape>({ method, title, label, unit, request }: FormProps<S>) {
  const own = useOwnAddress()
  const [amount, setAmount] = useState('')
  const { start, isBuilding, faults, clear } = useWrite(method, { title, signer: own })
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        void start(request(amount.trim()))
      }}
    >
      <Field
        label={label}
        inputMode="decimal"
        unit={unit}
        value={amount}
        onChange={(value) => {
          setAmount(value)
          clear()
        }}
        fault={faults.amount ?? faults.shares ?? amountFault(amount)}
      />
      {faults[''] ? <Notice tone="bad">{faults['']}</Notice> : null}
      <Button type="submit" look="primary" className="w-full" disabled={isBuilding || !typedAmount(amount)}>
        {text.review}
      </Button>
    </form>
  )
}
