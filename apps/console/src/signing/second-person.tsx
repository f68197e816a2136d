import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { approve, type BuiltTransaction, getTransaction, listUsers, reject } from '../api/access.ts'
import { useSignedIn } from '../api/session.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { When } from '../ui/figures.tsx'
import { messageOf } from '../ui/loading.tsx'
import { Fact, Facts } from '../ui/panel.tsx'
import { type Job, jobFound, openJob } from './job.ts'

const text = t.signing.second
const POLL_MS = 1_500

const mayApprove = (role: string | undefined) => role === 'approver' || role === 'admin'

interface Props {
  readonly job: Job
  readonly onClose: () => void
}

/** The part of the drawer in which somebody else decides, or is waited for. */
export function SecondPerson({ job, onClose }: Props) {
  const { user } = useSignedIn()
  const isOwn = job.maker?.userId !== null && job.maker?.userId === user?.userId
  const decides = job.approval?.status === 'PENDING' && mayApprove(user?.role) && !isOwn && job.calls.length > 0
  return (
    <div className="space-y-3">
      {job.approval ? (
        <Facts>
          <Fact name={text.maker}>{job.maker?.name}</Fact>
          {job.approval.status === 'PENDING' ? (
            <Fact name={text.until}>
              <When at={job.approval.expiresAt} />
            </Fact>
          ) : null}
        </Facts>
      ) : null}
      {decides ? <Decide job={job} onClose={onClose} /> : <Wait job={job} />}
    </div>
  )
}

/** Goes on by itself once it is approved: the drawer then has what is to be signed. */
function Wait({ job }: { job: Job }) {
  const { user } = useSignedIn()
  const found = useQuery({
    queryKey: ['approval', job.transactionId],
    queryFn: () => getTransaction(job.transactionId ?? ''),
    refetchInterval: ({ state }) => (state.data?.approval?.status === 'PENDING' ? POLL_MS : false),
  })
  const users = useQuery({ queryKey: ['users'], queryFn: listUsers })
  const { data } = found
  useEffect(() => {
    if (!data?.calls || data.approval?.status !== 'APPROVED') return
    const { calls, report, approval, maker } = jobFound(data)
    openJob({ ...job, calls, report, approval, maker, reportedAt: calls.length - 1 })
  }, [data, job])
  const approval = data?.approval ?? job.approval
  if (approval?.status === 'REJECTED')
    return (
      <Notice tone="bad">
        {text.rejectedBy} {approval.decidedBy?.name}: {approval.reason}
      </Notice>
    )
  if (approval?.status === 'EXPIRED') return <Notice tone="warn">{text.expired}</Notice>
  if (approval?.status === 'APPROVED') return <Notice tone="good">{text.approved}</Notice>
  const others = (users.data?.users ?? []).filter(
    ({ role, userId }) => mayApprove(role) && userId !== (job.maker?.userId ?? user?.userId),
  )
  return (
    <>
      <Notice tone="warn">{text.waiting}</Notice>
      <p className="text-sm text-muted">
        {others.length === 0 ? text.nobody : `${text.who} ${others.map(({ name }) => name).join(', ')}.`}
      </p>
      <p className="text-xs text-muted">{text.goesOn}</p>
    </>
  )
}

function Decide({ job, onClose }: Props) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [isRejecting, setRejecting] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  async function decide(work: (id: string) => Promise<BuiltTransaction>) {
    if (isBusy) return
    setBusy(true)
    setFault(undefined)
    try {
      await work(job.transactionId ?? '')
      onClose()
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: ['transactions'] })
    }
  }
  return (
    <>
      <p className="text-sm text-muted">{text.judge}</p>
      {fault ? <Notice tone="bad">{fault}</Notice> : null}
      {isRejecting ? (
        <form
          className="space-y-3"
          onSubmit={(event) => {
            event.preventDefault()
            void decide((id) => reject(id, reason.trim()))
          }}
        >
          <Field label={text.reason} value={reason} onChange={setReason} maxLength={300} />
          <Button type="submit" look="danger" className="w-full" disabled={isBusy || reason.trim() === ''}>
            {text.reject}
          </Button>
        </form>
      ) : (
        <div className="grid grid-cols-2 gap-2">
          <Button disabled={isBusy} onClick={() => setRejecting(true)}>
            {text.reject}
          </Button>
          <Button look="primary" disabled={isBusy} onClick={() => void decide(approve)}>
            {text.approve}
          </Button>
        </div>
      )}
    </>
  )
}
