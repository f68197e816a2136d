import type { Address as AddressValue, DetectToken } from '@tallystick/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { tally } from '../../api/client.ts'
import { type Import, useImports } from '../../api/registry.ts'
import { showWords } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { Badge, Notice } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Address, Amount, When } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const text = t.tokens
type Detected = DetectToken['data']

export const ASSET_TYPES = [
  'PUBLIC_EQUITY',
  'PRIVATE_EQUITY',
  'REAL_ESTATE',
  'COMMODITY',
  'ART',
  'WATCH',
  'INFRASTRUCTURE',
  'BOND',
  'CRYPTO_ASSET',
] as const

export function Tokens() {
  const imports = useImports()
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  const columns: readonly Column<Import>[] = [
    {
      key: 'name',
      name: text.columns.name,
      cell: ({ name, tokenAddress }) => (
        <Link to="/tokens/$tokenAddress" params={{ tokenAddress }} className="font-medium hover:underline">
          {name}
        </Link>
      ),
      csv: ({ name }) => name,
      sortBy: ({ name }) => name,
    },
    { key: 'symbol', name: text.columns.symbol, cell: ({ symbol }) => symbol, csv: ({ symbol }) => symbol },
    {
      key: 'framework',
      name: text.columns.framework,
      cell: ({ framework }) => <Badge tone="accent">{text.frameworks[framework]}</Badge>,
      csv: ({ framework }) => framework,
      sortBy: ({ framework }) => framework,
    },
    {
      key: 'type',
      name: text.columns.type,
      wide: true,
      cell: ({ assetType }) => showWords(assetType),
      csv: ({ assetType }) => assetType,
      sortBy: ({ assetType }) => assetType,
    },
    {
      key: 'supply',
      name: text.columns.supply,
      number: true,
      wide: true,
      cell: ({ totalSupply, totalSupplyAt, symbol }) => (
        <>
          <Amount value={totalSupply} unit={symbol} />
          <span className="block text-xs text-muted">
            {text.supplyRead} <When at={totalSupplyAt} />
          </span>
        </>
      ),
      csv: ({ totalSupply }) => totalSupply,
    },
    {
      key: 'warnings',
      name: text.columns.warnings,
      cell: ({ warnings }) =>
        warnings.length === 0 ? (
          <span className="text-muted">{t.none}</span>
        ) : (
          <Badge tone="warn">{warnings.length}</Badge>
        ),
      csv: ({ warnings }) => warnings.map(({ code }) => code).join(' '),
      sortBy: ({ warnings }) => warnings.length,
    },
    {
      key: 'address',
      name: text.columns.address,
      wide: true,
      cell: ({ tokenAddress }) => <Address value={tokenAddress} />,
      csv: ({ tokenAddress }) => tokenAddress,
    },
    {
      key: 'imported',
      name: text.columns.imported,
      wide: true,
      cell: ({ importedAt }) => <When at={importedAt} as="day" />,
      csv: ({ importedAt }) => importedAt,
    },
  ]
  return (
    <>
      <PageHead
        title={text.title}
        about={text.about}
        aside={
          <Button look="primary" onClick={() => setAdding(true)}>
            {text.import}
          </Button>
        }
      />
      <Loaded query={imports} rows={6}>
        {({ data }) => (
          <Table
            title={text.directory}
            rows={data}
            columns={columns}
            rowKey={({ tokenAddress }) => tokenAddress}
            onOpen={({ tokenAddress }) => void navigate({ to: '/tokens/$tokenAddress', params: { tokenAddress } })}
            empty={<Empty title={text.none}>{text.noneAbout}</Empty>}
          />
        )}
      </Loaded>
      {isAdding ? <ImportToken onClose={() => setAdding(false)} /> : null}
    </>
  )
}

/** First what the contract says, then what the importer says. */
function ImportToken({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState('')
  const [assetType, setAssetType] = useState<(typeof ASSET_TYPES)[number]>('BOND')
  const [detected, setDetected] = useState<Detected>()
  const { act, fault, isBusy } = useAct('imports')
  const navigate = useNavigate()
  const tokenAddress = address.trim() as AddressValue
  async function next() {
    if (!detected) {
      const found = await act(() => tally.tokens.detectToken({ body: { tokenAddress } }))
      if (found) setDetected(found.data)
      return
    }
    if (!(await act(() => tally.tokens.importToken({ body: { tokenAddress, assetType } })))) return
    onClose()
    await navigate({ to: '/tokens/$tokenAddress', params: { tokenAddress: detected.tokenAddress } })
  }
  return (
    <Dialog title={text.import} onClose={onClose}>
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          void next()
        }}
      >
        <Field
          label={text.address}
          value={address}
          onChange={(value) => {
            setAddress(value)
            setDetected(undefined)
          }}
          placeholder="0x…"
          help={text.addressHelp}
        />
        {detected ? (
          <>
            <Facts>
              <Fact name={text.columns.name}>
                {detected.name} ({detected.symbol})
              </Fact>
              <Fact name={text.columns.framework}>{text.frameworks[detected.framework]}</Fact>
              <Fact name={text.columns.supply}>
                <Amount value={detected.totalSupply} unit={detected.symbol} />
              </Fact>
            </Facts>
            {detected.degradedMetadata ? <Notice tone="warn">{text.degraded}</Notice> : null}
            {detected.alreadyImported ? <Notice tone="warn">{text.already}</Notice> : null}
            <Choice
              label={text.columns.type}
              value={assetType}
              options={ASSET_TYPES.map((type) => ({ value: type, name: showWords(type) }))}
              onChange={setAssetType}
            />
          </>
        ) : null}
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Button type="submit" look="primary" className="w-full" disabled={isBusy || address.trim() === ''}>
          {detected ? text.import : text.detect}
        </Button>
      </form>
    </Dialog>
  )
}
