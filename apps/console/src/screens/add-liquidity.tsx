import { useState } from 'react'
import { tally } from '../api/client.ts'
import type { Market } from '../api/lending.ts'
import { useOwnAddress } from '../api/session.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { amountFault, typedAmount } from './amounts.ts'

/** The lender of record puts money into the pool. */
export function AddLiquidity({ market, onDone }: { market: Market; onDone: () => void }) {
  const own = useOwnAddress()
  const [amount, setAmount] = useState('')
  const { start, isBuilding, faults, clear } = useWrite(tally.lending.addLiquidity, {
    title: t.markets.liquidity.title,
    signer: own,
    onDone,
  })
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        void start({
          params: { marketId: market.id },
          body: { amount: amount.trim(), ...(own ? { provider: own } : {}) },
        })
      }}
    >
      <Field
        label={t.markets.liquidity.amount}
        inputMode="decimal"
        unit={market.borrowAssetSymbol}
        value={amount}
        onChange={(value) => {
          setAmount(value)
          clear()
        }}
        fault={faults.amount ?? amountFault(amount)}
      />
      {faults[''] ? <Notice tone="bad">{faults['']}</Notice> : null}
      <Button type="submit" look="primary" className="w-full" disabled={isBuilding || !typedAmount(amount)}>
        {t.markets.liquidity.review}
      </Button>
    </form>
  )
}
