import { useState } from 'react'
import { tally } from '../api/client.ts'
import { type Market, readOf } from '../api/lending.ts'
import { useOwnAddress } from '../api/session.ts'
import { compare, parseDecimal, plainDecimal } from '../lib/decimal.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Amount } from '../ui/figures.tsx'
import { Fact, Facts } from '../ui/panel.tsx'
import { amountFault, carried, healthOf, typedAmount } from './amounts.ts'
import { Health } from './health.tsx'

const FIELDS = {
  BELOW_MIN_BORROW: 'borrowAmount',
  EXCEEDS_MAX_BORROW: 'borrowAmount',
  INSUFFICIENT_LIQUIDITY: 'borrowAmount',
  INSUFFICIENT_FREE_COLLATERAL: 'collateralAmount',
  SUPPLY_CAP_EXCEEDED: 'collateralAmount',
  USER_SUPPLY_CAP_EXCEEDED: 'collateralAmount',
  COLLATERAL_TRANSFER_RESTRICTED: 'collateralAmount',
  IDENTITY_NOT_VERIFIED: 'borrowerAddress',
  BORROWER_ADDRESS_REQUIRED: 'borrowerAddress',
}

/** What the endpoint would say, as far as the figures on screen tell. */
function foreseen(market: Market, collateral: string, borrow: string): string | undefined {
  const read = readOf(market)
  const [pledged, wanted] = [typedAmount(collateral), typedAmount(borrow)]
  if (!read || !wanted) return undefined
  const [least, most] = [parseDecimal(read.minBorrowAmount), parseDecimal(read.borrowableLiquidity)]
  if (least && compare(wanted, least) < 0) return t.loans.tooLittle
  if (most && compare(wanted, most) > 0) return t.loans.tooMuchLiquidity
  const carries = pledged ? carried(pledged, read.price, read.collateralFactor) : undefined
  return carries && compare(wanted, carries) > 0 ? t.loans.beyond : undefined
}

export function OpenLoan({ market, onDone }: { market: Market; onDone: () => void }) {
  const own = useOwnAddress()
  const [collateral, setCollateral] = useState('')
  const [borrow, setBorrow] = useState('')
  const [borrower, setBorrower] = useState<string>(own ?? '')
  const read = readOf(market)
  const signer = borrower === '' ? undefined : (borrower as `0x${string}`)
  const { start, isBuilding, faults, clear } = useWrite(tally.lending.openLoan, {
    title: t.markets.openLoan,
    signer,
    fields: FIELDS,
    onDone,
  })
  const [pledged, wanted] = [typedAmount(collateral), typedAmount(borrow)]
  const carries = read && pledged ? carried(pledged, read.price, read.collateralFactor) : undefined
  const health =
    read && pledged && wanted ? healthOf(pledged, read.price, read.liquidationThreshold, wanted) : undefined
  const typing = (set: (value: string) => void) => (value: string) => {
    set(value)
    clear()
  }
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        void start({
          params: { marketId: market.id },
          body: {
            collateralAmount: collateral.trim(),
            borrowAmount: borrow.trim(),
            ...(signer ? { borrowerAddress: signer } : {}),
          },
        })
      }}
    >
      <Field
        label={t.loans.form.collateral}
        inputMode="decimal"
        unit={market.collateralTokenSymbol}
        value={collateral}
        onChange={typing(setCollateral)}
        fault={faults.collateralAmount ?? amountFault(collateral)}
      />
      <Field
        label={t.loans.form.borrow}
        inputMode="decimal"
        unit={market.borrowAssetSymbol}
        value={borrow}
        onChange={typing(setBorrow)}
        fault={faults.borrowAmount ?? amountFault(borrow) ?? foreseen(market, collateral, borrow)}
        aside={
          <>
            <Amount value={read?.borrowableLiquidity} unit={market.borrowAssetSymbol} /> {t.loans.liquidity}
          </>
        }
      />
      {own !== undefined && borrower === own ? null : (
        <Field
          label={t.loans.form.borrower}
          value={borrower}
          onChange={typing(setBorrower)}
          fault={faults.borrowerAddress}
          placeholder="0x…"
        />
      )}
      <Facts>
        <Fact name={t.loans.free}>
          <Amount value={carries ? plainDecimal(carries) : null} unit={market.borrowAssetSymbol} />
        </Fact>
        <Fact name={t.loans.healthAfter}>
          <Health value={health ? plainDecimal(health) : null} />
        </Fact>
      </Facts>
      {faults[''] || (faults.borrowerAddress && own) ? (
        <Notice tone="bad">{faults[''] ?? faults.borrowerAddress}</Notice>
      ) : null}
      <Button type="submit" look="primary" className="w-full" disabled={isBuilding || !pledged || !wanted}>
        {t.loans.review}
      </Button>
    </form>
  )
}
