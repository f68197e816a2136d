import { lazy, Suspense, useMemo } from 'react'
import type { useVaultHistory } from '../api/lending.ts'
import { t } from '../texts/index.ts'
import { Amount, When } from '../ui/figures.tsx'
import { Loaded, Waiting } from '../ui/loading.tsx'
import { Panel } from '../ui/panel.tsx'

const text = t.vaults
const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }))

type Query = ReturnType<typeof useVaultHistory>

/** What a share was worth whenever somebody came or went, and is worth now. */
export function VaultHistory({ query, sharePrice }: { query: Query; sharePrice: string }) {
  const points = query.data?.data.points
  const [x, lines] = useMemo(() => {
    const known = (points ?? []).toReversed()
    return [
      [...known.map(({ at }) => Date.parse(at) / 1000), Date.now() / 1000],
      [
        {
          name: text.sharePrice,
          values: [...known.map((point) => Number(point.sharePrice)), Number(sharePrice)],
          color: 'good' as const,
        },
      ],
    ]
  }, [points, sharePrice])
  return (
    <Panel title={text.history}>
      <Loaded query={query}>
        {({ data }) => {
          const [newest] = data.points
          return newest ? (
            <>
              <p className="mb-3 text-sm text-muted">
                {text.earned} <Amount value={newest.earned} unit={data.asset.symbol} /> · <When at={newest.at} />
              </p>
              <Suspense fallback={<Waiting />}>
                <Chart
                  time
                  x={x}
                  lines={lines}
                  label={text.history}
                  height={180}
                  yText={(value) => value.toLocaleString(undefined, { maximumFractionDigits: 5 })}
                />
              </Suspense>
            </>
          ) : (
            <p className="py-6 text-center text-sm text-muted">{text.historyEmpty}</p>
          )
        }}
      </Loaded>
    </Panel>
  )
}
