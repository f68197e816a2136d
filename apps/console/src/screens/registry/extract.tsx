import type { Address as AddressValue } from '@tallystick/sdk'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useHolders, useStock } from '../../api/registry.ts'
import { useSignedIn } from '../../api/session.ts'
import { showAmount, showUtc } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Fault, Waiting } from '../../ui/loading.tsx'

const text = t.capTable

/** The whole register at the end of one block, on paper. */
export function Extract() {
  const { tokenAddress = '' } = useParams({ strict: false })
  const { block } = useSearch({ strict: false }) as { block?: string | number }
  const { instance } = useSignedIn()
  const address = tokenAddress as AddressValue
  const stock = useStock(address)
  const query = useHolders(address, { block: block === undefined ? undefined : String(block) })
  const { hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const [first] = query.data?.pages ?? []
  const fault = query.error ?? stock.error
  if (fault) return <Fault error={fault} />
  if (!first || !stock.data || hasNextPage) return <Waiting rows={8} />
  const { name, symbol, isin, decimals } = stock.data.data
  const rows = query.data?.pages.flatMap(({ data }) => data.holders) ?? []
  return (
    <article className="mx-auto max-w-3xl">
      <div className="no-print mb-4 flex items-center justify-between gap-3">
        <BackLink to={`/cap-table/${tokenAddress}`} name={name} />
        <Button look="primary" onClick={() => window.print()}>
          {text.print}
        </Button>
      </div>
      <h1 className="text-2xl font-medium tracking-tight">{text.extractTitle}</h1>
      <dl className="mt-3 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        <dt className="text-muted">{text.columns.name}</dt>
        <dd>
          {name} ({symbol})
        </dd>
        <dt className="text-muted">{text.columns.isin}</dt>
        <dd>{isin}</dd>
        <dt className="text-muted">{text.columns.token}</dt>
        <dd className="font-mono text-xs break-all">{tokenAddress}</dd>
        <dt className="text-muted">{text.chain}</dt>
        <dd>{instance.chainId}</dd>
        <dt className="text-muted">{text.asOfBlock}</dt>
        <dd className="num">{first.data.block}</dd>
        <dt className="text-muted">{text.supply}</dt>
        <dd>
          <span className="num">{showAmount(first.data.totalSupply, decimals).short}</span> {symbol}
        </dd>
        <dt className="text-muted">{text.holderCount}</dt>
        <dd className="num">{first.data.total}</dd>
        <dt className="text-muted">{text.madeAt}</dt>
        <dd>{showUtc(new Date(first.metadata.timestamp))}</dd>
      </dl>
      <table className="mt-5 w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-strong text-left text-xs text-muted">
            <th scope="col" className="py-1.5 pr-3 text-right font-medium">
              {text.columns.number}
            </th>
            <th scope="col" className="py-1.5 font-medium">
              {text.columns.holder}
            </th>
            <th scope="col" className="py-1.5 text-right font-medium">
              {text.columns.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ address: holder, balance }, at) => (
            <tr key={holder} className="border-b border-line break-inside-avoid">
              <td className="num py-1.5 pr-3 text-right text-muted">{at + 1}</td>
              <td className="py-1.5 font-mono text-xs break-all">{holder}</td>
              <td className="num py-1.5 text-right">{showAmount(balance, decimals).exact}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-4 text-xs text-muted">{text.extractAbout}</p>
    </article>
  )
}
