import type { ListVaults } from '@tallystick/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { tally } from '../api/client.ts'
import { useMarkets, useVaults } from '../api/lending.ts'
import { useOwnAddress } from '../api/session.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Amount, AsOf } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, PageHead } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'

const text = t.vaults
type Vault = ListVaults['data']['vaults'][number]
const readOf = ({ onChain }: Vault) => (onChain.readFailed ? undefined : onChain)

const columns: readonly Column<Vault>[] = [
  {
    key: 'name',
    name: text.columns.name,
    cell: (vault) => (
      <Link to="/vaults/$vaultAddress" params={{ vaultAddress: vault.vaultAddress }} className="block">
        <span className="font-medium hover:underline">{vault.name}</span>
        <span className="block text-xs text-muted">
          {vault.symbol} · {vault.asset.symbol}
        </span>
      </Link>
    ),
    csv: ({ name }) => name,
    sortBy: ({ name }) => name,
  },
  {
    key: 'assets',
    name: text.columns.assets,
    number: true,
    cell: (vault) => <Amount value={readOf(vault)?.totalAssets} unit={vault.asset.symbol} />,
    csv: (vault) => readOf(vault)?.totalAssets ?? '',
  },
  {
    key: 'price',
    name: text.columns.price,
    number: true,
    cell: (vault) => <Amount value={readOf(vault)?.sharePrice} digits={6} />,
    csv: (vault) => readOf(vault)?.sharePrice ?? '',
  },
  {
    key: 'idle',
    name: text.columns.idle,
    number: true,
    wide: true,
    cell: (vault) => <Amount value={readOf(vault)?.idleAssets} unit={vault.asset.symbol} />,
    csv: (vault) => readOf(vault)?.idleAssets ?? '',
  },
  {
    key: 'redeemable',
    name: text.columns.redeemable,
    number: true,
    wide: true,
    cell: (vault) => <Amount value={readOf(vault)?.redeemableNow} unit={vault.asset.symbol} />,
    csv: (vault) => readOf(vault)?.redeemableNow ?? '',
  },
  {
    key: 'state',
    name: text.columns.state,
    cell: (vault) => {
      const read = readOf(vault)
      if (!read) return <Badge tone="bad">{t.markets.unreadable}</Badge>
      return <Badge tone={read.depositsPaused ? 'warn' : 'good'}>{read.depositsPaused ? text.paused : text.open}</Badge>
    },
    csv: (vault) => (readOf(vault)?.depositsPaused ? text.paused : text.open),
  },
]

export function Vaults() {
  const query = useVaults()
  const navigate = useNavigate()
  const [isDeploying, setDeploying] = useState(false)
  const deploy = (
    <Button look="primary" onClick={() => setDeploying(true)}>
      {text.deploy}
    </Button>
  )
  return (
    <>
      <PageHead
        title={text.title}
        about={text.about}
        aside={
          <>
            <AsOf metadata={query.data?.metadata} />
            {query.data?.data.vaults.length ? deploy : null}
          </>
        }
      />
      <Loaded query={query}>
        {({ data }) => (
          <Table
            title={text.title}
            rows={data.vaults}
            columns={columns}
            rowKey={({ id }) => id}
            onOpen={({ vaultAddress }) => void navigate({ to: '/vaults/$vaultAddress', params: { vaultAddress } })}
            empty={
              <Empty title={text.empty} action={deploy}>
                {text.emptyAbout}
              </Empty>
            }
          />
        )}
      </Loaded>
      {isDeploying ? <Deploy onClose={() => setDeploying(false)} /> : null}
    </>
  )
}

const FIELDS = { INVALID_ASSET: 'assetAddress', ASSET_NOT_SUPPORTED: 'assetAddress', INVALID_ADDRESS: 'assetAddress' }

function Deploy({ onClose }: { onClose: () => void }) {
  const own = useOwnAddress()
  const markets = useMarkets()
  const made = markets.data?.data.markets ?? []
  const assets = new Map(made.map((market) => [market.borrowAssetAddress, market.borrowAssetSymbol]))
  const lentBy = (asset: string) => made.filter(({ borrowAssetAddress }) => borrowAssetAddress === asset).length
  // What most markets lend is what a vault is most useful for.
  const [first] = [...assets.keys()].sort((a, b) => lentBy(b) - lentBy(a))
  const [name, setName] = useState('')
  const [symbol, setSymbol] = useState('')
  const [chosen, setAsset] = useState<string>()
  const asset = chosen ?? first ?? ''
  const { start, isBuilding, faults, clear } = useWrite(tally.lending.deployVault, {
    title: text.deploy,
    signer: own,
    fields: FIELDS,
    onDone: onClose,
  })
  const typing = (set: (value: string) => void) => (value: string) => {
    set(value)
    clear()
  }
  return (
    <Dialog title={text.deploy} onClose={onClose}>
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          void start({ body: { name, symbol, assetAddress: asset, ...(own ? { owner: own } : {}) } })
        }}
      >
        <Field label={text.name} value={name} onChange={typing(setName)} fault={faults.name} />
        <Field label={text.symbol} value={symbol} onChange={typing(setSymbol)} fault={faults.symbol} />
        <Field
          label={text.asset}
          value={asset}
          onChange={typing(setAsset)}
          fault={faults.assetAddress}
          help={assets.get(asset as `0x${string}`) ?? undefined}
        />
        {faults[''] || faults.owner ? <Notice tone="bad">{faults[''] ?? faults.owner}</Notice> : null}
        <Button
          type="submit"
          look="primary"
          className="w-full"
          disabled={isBuilding || name === '' || symbol === '' || asset === ''}
        >
          {text.review}
        </Button>
      </form>
    </Dialog>
  )
}
