import { useState } from 'react'
import { tally } from '../api/client.ts'
import type { Market, Pending } from '../api/lending.ts'
import { t } from '../texts/index.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Amount } from '../ui/figures.tsx'
import { Fact, Facts } from '../ui/panel.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { nameOf } from './market-state.tsx'
import { type FormField, WriteForm } from './write-form.tsx'

const text = t.liquidations.sale

interface Props {
  readonly market: Market
  readonly row: Pending
  /** The number on the router. */
  readonly liquidationId: string
  readonly onClose: () => void
}

const amount = (key: string, label: string, unit: string | null): FormField => ({
  ...{ key, label, kind: 'amount' },
  ...(unit === null ? {} : { unit }),
})

/** Seized collateral is sold by hand: taken out in tranches, the cash brought back, the rest settled. */
export function SellStepByStep({ market, row, liquidationId, onClose }: Props) {
  const [step, setStep] = useState('withdraw')
  const { withdrawCollateralForSale, reportPartialSale, settleLiquidation } = tally.lending
  const { id: marketId, collateralTokenSymbol: shares, borrowAssetSymbol: cash } = market
  const params = { liquidationId }
  const title = `${t.liquidations.sellTitle} ${liquidationId}`
  const tabs = [
    {
      key: 'withdraw',
      name: text.withdraw,
      content: (
        <WriteForm
          method={withdrawCollateralForSale}
          title={`${text.withdraw}: ${title}`}
          about={text.withdrawAbout}
          fields={[amount('amount', text.amount, shares)]}
          request={(typed) => ({ params, body: { marketId, amount: typed.amount ?? '' } })}
          onDone={onClose}
        />
      ),
    },
    {
      key: 'report',
      name: text.report,
      content: (
        <WriteForm
          method={reportPartialSale}
          title={`${text.report}: ${title}`}
          about={text.reportAbout}
          fields={[amount('collateralSold', text.sold, shares), amount('usdcProceeds', text.proceeds, cash)]}
          request={({ collateralSold = '', usdcProceeds = '' }) => ({
            params,
            body: { marketId, collateralSold, usdcProceeds },
          })}
          onDone={onClose}
        />
      ),
    },
    {
      key: 'settle',
      name: text.settle,
      content: (
        <WriteForm
          method={settleLiquidation}
          title={`${text.settle}: ${title}`}
          about={text.settleAbout}
          fields={[{ ...amount('usdcProceeds', text.last, cash), kind: 'text', start: '0' }]}
          request={(typed) => ({ params, body: { marketId, usdcProceeds: typed.usdcProceeds ?? '0' } })}
          onDone={onClose}
        />
      ),
    },
  ]
  return (
    <Dialog title={title} about={nameOf(market)} onClose={onClose}>
      <div className="space-y-4 p-5">
        <Facts>
          <Fact name={t.liquidations.remaining}>
            <Amount value={row.onChainData?.collateralRemaining} unit={shares} />
          </Fact>
          <Fact name={t.liquidations.columns.owed}>
            <Amount value={row.debtOwed} unit={cash} />
          </Fact>
          <Fact name={t.liquidations.collected}>
            <Amount value={row.onChainData?.proceedsCollected} unit={cash} />
          </Fact>
        </Facts>
        <Tabs label={title} tabs={tabs} value={step} onChange={setStep} />
      </div>
    </Dialog>
  )
}
