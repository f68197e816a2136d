import type { Hex } from '@tallystick/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getTransaction, type TransactionStatus } from '../api/access.ts'
import { isCode } from '../api/client.ts'
import { t } from '../texts/index.ts'
import { Copy } from '../ui/figures.tsx'
import { Icon } from '../ui/icon.tsx'
import { Fault } from '../ui/loading.tsx'
import { forgetHashes, type Job } from './job.ts'

const POLL_MS = 1_000

/** Reports until the transaction is in a block; then the service has proven what it did. */
function useProof(job: Job, hashes: readonly Hex[]) {
  return useQuery({
    queryKey: ['proof', job.id, hashes],
    queryFn: async () => {
      for (;;) {
        try {
          return { confirmed: await job.report(hashes) }
        } catch (error) {
          if (!isCode(error, 'TX_NOT_FOUND')) throw error
          await new Promise((resolve) => setTimeout(resolve, POLL_MS))
        }
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function useStatus(job: Job) {
  return useQuery({
    queryKey: ['transaction', job.transactionId],
    queryFn: () => getTransaction(job.transactionId ?? ''),
    enabled: job.transactionId !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'FINAL' ? 30_000 : 2_000),
  })
}

function Stage({
  done,
  waiting,
  text,
  detail,
}: {
  done: boolean
  waiting: boolean
  text: string
  detail?: string | undefined
}) {
  return (
    <li className="flex items-start gap-2.5">
      <span
        className={`mt-0.5 grid size-4 place-items-center rounded-full ${done ? 'bg-good text-panel' : 'border border-strong text-transparent'} ${waiting ? 'animate-pulse' : ''}`}
      >
        <Icon name="check" className="size-3" />
      </span>
      <span className={done ? '' : 'text-muted'}>
        {text}
        {detail ? <span className="block text-xs text-muted">{detail}</span> : null}
      </span>
    </li>
  )
}

const REACHED: readonly TransactionStatus[] = ['SENT', 'MINED', 'FINAL']

export function Life({ job, hashes }: { job: Job; hashes: readonly Hex[] }) {
  const proof = useProof(job, hashes)
  const status = useStatus(job)
  const client = useQueryClient()
  const proven = proof.isSuccess
  useEffect(() => {
    if (!proven) return
    forgetHashes(job.id)
    // Figures everywhere may have changed.
    void client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== 'proof' && queryKey[0] !== 'session' && queryKey[0] !== 'demo',
    })
  }, [proven, job.id, client])
  const said = status.data?.status
  const isFinal = said === 'FINAL'
  const undone = said === 'UNDONE'
  const block = status.data?.blockNumber
  return (
    <section aria-live="polite" aria-label={t.signing.life}>
      <h3 className="mb-2 text-xs font-medium text-muted">{t.signing.life}</h3>
      <ol className="space-y-2.5 text-sm">
        <Stage done waiting={false} text={t.signing.sent} />
        <Stage
          done={!undone && (proven || (said !== undefined && REACHED.indexOf(said) > 0))}
          waiting={proof.isFetching}
          text={t.signing.mined}
          detail={block ? `${t.asOf.block} ${block}` : proof.isFetching ? t.signing.waitingMined : undefined}
        />
        {job.transactionId === undefined ? null : (
          <Stage
            done={isFinal}
            waiting={proven && !isFinal && !undone}
            text={t.signing.final}
            detail={proven && !isFinal && !undone ? t.signing.waitingFinal : undefined}
          />
        )}
      </ol>
      {undone ? <p className="mt-3 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">{t.signing.undone}</p> : null}
      {proof.error ? (
        <div className="mt-3 space-y-1">
          <p className="text-sm">{t.signing.notProven}</p>
          <Fault error={proof.error} again={() => void proof.refetch()} />
        </div>
      ) : null}
      <ul className="mt-3 space-y-1">
        {hashes.map((hash) => (
          <li key={hash} className="flex items-center gap-1 font-mono text-xs text-muted">
            <span className="truncate">{hash}</span>
            <Copy text={hash} label={t.signing.hash} />
          </li>
        ))}
      </ul>
    </section>
  )
}
