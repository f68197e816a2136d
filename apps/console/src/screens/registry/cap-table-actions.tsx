import type { GetStock } from '@tallystick/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { tally } from '../../api/client.ts'
import { useExposure } from '../../api/registry.ts'
import { useOwnAddress } from '../../api/session.ts'
import { divide, fromInteger, parseDecimal, plainDecimal, times } from '../../lib/decimal.ts'
import { useWrite } from '../../signing/use-write.ts'
import { t } from '../../texts/index.ts'
import { Notice } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Amount } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/loading.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type FormField, WriteForm } from '../write-form.tsx'

const text = t.capTable
type StockState = GetStock['data']
const { stocks } = tally

const isSplitting = ({ splitHoldersLeft }: StockState) => BigInt(splitHoldersLeft) > 0n

/** What the issuer and its controllers do. */
export function Actions({ stock }: { stock: StockState }) {
  // Nothing else moves until a split is at its end.
  const [tab, setTab] = useState(isSplitting(stock) ? 'split' : 'issue')
  const { tokenAddress, symbol } = stock
  const params = { tokenAddress }
  const amount: FormField = { key: 'amount', label: text.amount, kind: 'amount', unit: symbol }
  const reason: FormField = { key: 'reason', label: text.reason, kind: 'text', help: text.reasonHelp, optional: true }
  const holder: FormField = { key: 'account', label: text.holder, kind: 'address' }
  const tabs = [
    {
      key: 'issue',
      name: text.issue,
      content: (
        <WriteForm
          method={stocks.issueShares}
          title={text.issue}
          about={text.issueAbout}
          fields={[{ key: 'recipient', label: text.recipient, kind: 'address' }, amount, reason]}
          request={(body) => ({ params, body })}
        />
      ),
    },
    {
      key: 'redeem',
      name: text.redeem,
      content: (
        <WriteForm
          method={stocks.redeemShares}
          title={text.redeem}
          about={text.redeemAbout}
          fields={[holder, amount, reason]}
          request={(body) => ({ params, body })}
        />
      ),
    },
    {
      key: 'freeze',
      name: text.freeze,
      content: (
        <WriteForm
          method={stocks.freezeShares}
          title={text.freeze}
          about={text.freezeAbout}
          fields={[holder, amount]}
          request={(body) => ({ params, body })}
        />
      ),
    },
    {
      key: 'unfreeze',
      name: text.unfreeze,
      content: (
        <WriteForm
          method={stocks.unfreezeShares}
          title={text.unfreeze}
          about={text.unfreezeAbout}
          fields={[holder, amount]}
          request={(body) => ({ params, body })}
        />
      ),
    },
    {
      key: 'split',
      name: text.split,
      content: isSplitting(stock) ? (
        <ContinueSplit stock={stock} />
      ) : (
        <WriteForm
          method={stocks.splitStock}
          title={text.split}
          about={text.splitAbout}
          fields={[
            { key: 'numerator', label: text.numerator, kind: 'amount', start: '2' },
            { key: 'denominator', label: text.denominator, kind: 'amount', start: '1' },
          ]}
          request={({ numerator, denominator }) => ({
            params,
            body: { numerator: Number(numerator), denominator: Number(denominator) },
          })}
          preview={({ numerator = '', denominator = '' }) => (
            <SplitPreview stock={stock} numerator={numerator} denominator={denominator} />
          )}
          danger
        />
      ),
    },
    {
      key: 'force',
      name: text.force,
      content: (
        <WriteForm
          method={stocks.forceTransferShares}
          title={text.force}
          about={text.forceAbout}
          fields={[
            { key: 'from', label: text.from, kind: 'address' },
            { key: 'to', label: text.to, kind: 'address' },
            amount,
            // On chain it may be missing; a registrar always has one.
            { ...reason, optional: false },
          ]}
          request={(body) => ({ params, body })}
          danger
        />
      ),
    },
    { key: 'pause', name: text.pause, content: <Pause stock={stock} /> },
  ]
  return (
    <Panel title={text.actions}>
      <div className="max-w-xl">
        <Tabs label={text.actions} tabs={tabs} value={tab} onChange={setTab} />
      </div>
    </Panel>
  )
}

function Pause({ stock: { tokenAddress, paused } }: { stock: StockState }) {
  const own = useOwnAddress()
  const pause = useWrite(stocks.pauseStock, { title: text.pause, signer: own })
  const unpause = useWrite(stocks.unpauseStock, { title: text.unpause, signer: own })
  const { start, isBuilding, faults } = paused ? unpause : pause
  return (
    <div className="space-y-3">
      <p className="text-sm text-muted">{paused ? text.unpauseAbout : text.pauseAbout}</p>
      {faults[''] ? <Notice tone="bad">{faults['']}</Notice> : null}
      <Button
        look={paused ? 'primary' : 'danger'}
        disabled={isBuilding}
        onClick={() => void start({ params: { tokenAddress }, body: {} })}
      >
        {paused ? text.unpause : text.pause}
      </Button>
    </div>
  )
}

function ContinueSplit({ stock: { tokenAddress, splitHoldersLeft } }: { stock: StockState }) {
  const own = useOwnAddress()
  const { start, isBuilding, faults } = useWrite(stocks.continueSplit, {
    title: text.continueSplit,
    signer: own,
  })
  return (
    <div className="space-y-3">
      <p className="text-sm text-muted">
        {text.continueAbout} <span className="num font-medium text-ink">{splitHoldersLeft}</span>
      </p>
      {faults[''] ? <Notice tone="bad">{faults['']}</Notice> : null}
      <Button look="primary" disabled={isBuilding} onClick={() => void start({ params: { tokenAddress }, body: {} })}>
        {text.continueSplit}
      </Button>
    </div>
  )
}

/** Rounded down as the token does. */
function afterSplit(value: string, numerator: string, denominator: string, decimals: number): string | null {
  const [amount, above, below] = [value, numerator, denominator].map(parseDecimal)
  if (!amount || !above || !below || below.units === 0n || above.scale > 0 || below.scale > 0) return null
  return plainDecimal(divide(times(amount, fromInteger(above.units)), fromInteger(below.units), decimals))
}

function SplitPreview({
  stock,
  numerator,
  denominator,
}: {
  stock: StockState
  numerator: string
  denominator: string
}) {
  const exposure = useExposure({ tokenAddress: stock.tokenAddress })
  const split = (value: string) => afterSplit(value, numerator, denominator, stock.decimals)
  return (
    <section aria-label={text.effect} className="rounded-md border border-line">
      <h3 className="border-b border-line px-3 py-2 text-sm font-medium">{text.effect}</h3>
      <Loaded query={exposure} rows={3}>
        {({ data: { loans, orders, truncated } }) => {
          const signed = orders.filter(({ holder }) => holder.startsWith('0x'))
          return (
            <ul className="list-disc space-y-2 py-2 pr-3 pl-7 text-sm">
              <li>
                {text.effectSupply} <Amount value={stock.totalSupply} /> →{' '}
                <Amount value={split(stock.totalSupply)} unit={stock.symbol} />
              </li>
              <li>
                {loans.length === 0 ? text.effectNoLoans : `${loans.length} ${text.effectLoans}`}
                {loans.slice(0, 5).map(({ marketId, loanId, collateral }) => (
                  <span key={`${marketId}-${loanId}`} className="block">
                    <Link
                      to="/markets/$marketId/loans/$loanId"
                      params={{ marketId, loanId }}
                      className="text-accent underline"
                    >
                      {t.loans.of} {loanId}
                    </Link>
                    : <Amount value={collateral} /> → <Amount value={split(collateral)} unit={stock.symbol} />
                  </span>
                ))}
              </li>
              {loans.length === 0 ? null : <li>{text.effectPrice}</li>}
              <li>{signed.length === 0 ? text.effectNoOrders : `${signed.length} ${text.effectOrders}`}</li>
              {orders.length === signed.length ? null : (
                <li>
                  {orders.length - signed.length} {text.effectOffChain}
                </li>
              )}
              {truncated ? <li>{text.effectMore}</li> : null}
            </ul>
          )
        }}
      </Loaded>
    </section>
  )
}
