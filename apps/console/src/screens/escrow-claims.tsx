import type { Address as Wallet } from '@tallystick/sdk'
import { tally } from '../api/client.ts'
import { type Market, useEscrows } from '../api/lending.ts'
import { useOwnAddress } from '../api/session.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'
import { Amount } from '../ui/figures.tsx'
import { Empty } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { marketColumn } from './market-column.tsx'

const text = t.liquidations.escrow

interface Row {
  readonly market: Market
  readonly holder: Wallet
  readonly what: 'collateral' | 'surplus'
  readonly amount: string
  readonly unit: string | null
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'what', name: text.what, cell: ({ what }) => text[what], csv: ({ what }) => text[what] },
  marketColumn<Row>(),
  {
    key: 'amount',
    name: text.amount,
    number: true,
    cell: ({ amount, unit }) => <Amount value={amount} unit={unit} />,
    csv: ({ amount }) => amount,
  },
  {
    key: 'claim',
    name: t.liquidations.columns.action,
    number: true,
    cell: (row) => (row.what === 'collateral' ? <ClaimCollateral {...row} /> : <ClaimSurplus {...row} />),
    csv: () => '',
  },
]

/** Of the wallet of whoever is signed in: nobody else can sign for it. */
export function HeldForYou({ markets }: { markets: readonly Market[] }) {
  const holder = useOwnAddress()
  const rows = useEscrows(markets, holder).flatMap(({ market, collateral, surplus }): Row[] => {
    if (!holder) return []
    return [
      { market, holder, what: 'collateral' as const, amount: collateral ?? '0', unit: market.collateralTokenSymbol },
      { market, holder, what: 'surplus' as const, amount: surplus ?? '0', unit: market.borrowAssetSymbol },
    ].filter(({ amount }) => Number(amount) > 0)
  })
  return (
    <Table
      title={text.title}
      rows={rows}
      columns={COLUMNS}
      rowKey={({ market, what }) => `${market.id} ${what}`}
      empty={<Empty title={text.empty}>{text.about}</Empty>}
    />
  )
}

const POLL_MS = 500
/** Beyond it whoever claims is told, and may ask again: a claim that a reorganization undid is never fetched. */
const PATIENCE_MS = 5 * 60_000

/** There is nothing to report: the escrow itself says when it was fetched. */
async function untilFetched({ market, holder, amount }: Row): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    const { data } = await tally.lending.getEscrowedCollateral({ params: { marketId: market.id, holder } })
    if (data.escrowedCollateral !== amount) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(text.stillHeld)
}

function ClaimCollateral(row: Row) {
  const { market, holder } = row
  const { start, isBuilding, faults } = useWrite(tally.lending.claimEscrowedCollateral, {
    title: `${text.claim}: ${text.collateral}`,
    signer: holder,
    proven: () => untilFetched(row),
  })
  return (
    <Claim
      isBuilding={isBuilding}
      fault={faults['']}
      onClaim={() => void start({ params: { marketId: market.id }, body: { holderAddress: holder } })}
    />
  )
}

function ClaimSurplus({ market, holder }: Row) {
  const { start, isBuilding, faults } = useWrite(tally.lending.claimSurplus, {
    title: `${text.claim}: ${text.surplus}`,
    signer: holder,
  })
  return (
    <Claim
      isBuilding={isBuilding}
      fault={faults['']}
      onClaim={() => void start({ params: { marketId: market.id }, body: { holderAddress: holder } })}
    />
  )
}

const Claim = ({
  isBuilding,
  fault,
  onClaim,
}: {
  isBuilding: boolean
  fault: string | undefined
  onClaim: () => void
}) => (
  <>
    <Button small disabled={isBuilding} onClick={onClaim}>
      {text.claim}
    </Button>
    {fault ? <span className="mt-1 block max-w-64 text-left text-xs text-bad">{fault}</span> : null}
  </>
)
