import type { CallToSign, Hex } from '@tallystick/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useDemoRoles, useSignedIn } from '../api/session.ts'
import { connect, iconOf, switchChain, useConnection, useWallets } from '../api/wallets.ts'
import { showInteger, showWords } from '../lib/format.ts'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Address, Copy } from '../ui/figures.tsx'
import { Icon } from '../ui/icon.tsx'
import { messageOf } from '../ui/loading.tsx'
import { Fact, Facts } from '../ui/panel.tsx'
import { type Job, keepHashes, openJob, type Simulation, sentHashes, useJob } from './job.ts'
import { Life } from './life.tsx'
import { saveSafeFile } from './safe.ts'
import { SecondPerson } from './second-person.tsx'
import { announce, isRejection, signJob, type Way } from './sign.ts'

export function SigningDrawer() {
  const job = useJob()
  return job ? <Drawer key={job.id} job={job} /> : null
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="border-b border-line px-5 py-4">
    <h3 className="mb-2 text-xs font-medium text-muted">{title}</h3>
    {children}
  </section>
)

function Drawer({ job }: { job: Job }) {
  const [hashes, setHashes] = useState(() => sentHashes(job.id))
  const needsOther = job.approval !== undefined && job.approval.status !== 'APPROVED'
  const isAllSent = job.calls.length > 0 && hashes.length >= job.calls.length
  function close() {
    openJob(undefined)
    if (isAllSent) job.onDone?.()
  }
  return (
    <Dialog side title={job.title} about={t.signing.title} onClose={close}>
      <div className="flex-1 overflow-y-auto">
        <Part title={t.signing.what}>
          {job.calls.length > 1 ? <p className="mb-2 text-xs text-muted">{t.signing.steps}</p> : null}
          <ol className="space-y-3">
            {job.calls.map((call, at) => (
              <Call
                key={`${call.to}-${call.data}`}
                call={call}
                at={at}
                many={job.calls.length > 1}
                sent={hashes[at]}
                title={job.title}
              />
            ))}
          </ol>
          {job.calls.length === 0 ? <p className="text-base font-medium">{job.note ?? job.title}</p> : null}
          {job.note && job.calls.length > 0 ? <p className="mt-3 text-sm text-muted">{job.note}</p> : null}
        </Part>
        <Part title={t.signing.check}>
          <Simulated simulation={job.simulation} />
          <div className="mt-2">
            <Facts>
              {job.fee ? <Fact name={t.signing.fee}>{job.fee}</Fact> : null}
              {job.simulation?.gasUsed ? (
                <Fact name={t.signing.gas}>
                  <span className="num">{showInteger(job.simulation.gasUsed)}</span>
                </Fact>
              ) : null}
              <Fact name={t.signing.who}>{job.signer ? <Address value={job.signer} /> : t.signing.anyone}</Fact>
              {job.role ? (
                <Fact name={t.signing.role}>
                  <span title={job.role}>{showWords(job.role)}</span>
                </Fact>
              ) : null}
            </Facts>
          </div>
        </Part>
        {needsOther ? (
          <Part title={t.signing.second.title}>
            <SecondPerson job={job} onClose={close} />
          </Part>
        ) : isAllSent ? (
          <div className="px-5 py-4">
            <Life job={job} hashes={hashes} />
          </div>
        ) : (
          <Ways job={job} onSent={setHashes} />
        )}
      </div>
      {isAllSent ? (
        <div className="flex items-center justify-between gap-3 border-t border-line px-5 py-3">
          <p className="text-xs text-muted">{t.signing.later}</p>
          <Button look="primary" onClick={close}>
            {t.signing.done}
          </Button>
        </div>
      ) : null}
    </Dialog>
  )
}

function Simulated({ simulation }: { simulation: Simulation | undefined }) {
  // Nobody asked, which is not the same as an answer that nobody knows.
  if (simulation === undefined) return null
  if (!simulation.simulated) return <Badge>{t.signing.unknown}</Badge>
  if (simulation.success)
    return (
      <Badge tone="good">
        <Icon name="check" className="size-3" /> {t.signing.passes}
      </Badge>
    )
  const { revert } = simulation
  return (
    <Notice tone="bad">
      {t.signing.fails} {revert?.message}{' '}
      {revert ? <span className="font-mono text-xs">{revert.code ?? revert.error}</span> : null}
    </Notice>
  )
}

interface CallProps {
  readonly call: CallToSign
  readonly at: number
  readonly many: boolean
  readonly sent: Hex | undefined
  /** Said where nothing else is known. */
  readonly title: string
}

function Call({ call, at, many, sent, title }: CallProps) {
  const decoded = useDecoded(call)
  // A name of a function is no sentence.
  const isSentence = call.description?.includes(' ') === true
  const sentence = isSentence ? call.description : (decoded.data?.sentence ?? call.description ?? title)
  return (
    <li>
      <p className="flex items-start gap-2 text-base">
        {many ? <span className="num text-muted">{at + 1}.</span> : null}
        <span className="font-medium">{sentence}</span>
        {sent ? <Badge tone="good">{t.signing.sent}</Badge> : null}
      </p>
      <details className="mt-1">
        <summary className="text-xs text-muted hover:text-ink">{t.signing.call}</summary>
        <Decoded call={call} />
      </details>
    </li>
  )
}

function useDecoded({ chainId, to, data }: CallToSign) {
  return useQuery({
    queryKey: ['decoded', chainId, to, data],
    queryFn: async () => (await (await import('./decode.ts')).decodeCall(chainId, to, data)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function Decoded({ call }: { call: CallToSign }) {
  const { to, data } = call
  const decoded = useDecoded(call)
  return (
    <div className="mt-2 rounded-md bg-raised px-3 py-1">
      <Facts>
        <Fact name={t.signing.contract}>
          <Address value={to} name={decoded.data?.contract} />
        </Fact>
        {decoded.data ? (
          <>
            <Fact name={t.signing.function}>
              <span className="font-mono text-xs">{decoded.data.name}</span>
            </Fact>
            {decoded.data.arguments.map(({ label, value }) => (
              <Fact key={label} name={label}>
                <span className="font-mono text-xs break-all">{value}</span>
              </Fact>
            ))}
          </>
        ) : decoded.data === null ? (
          <Fact name={t.signing.function}>{t.signing.undecoded}</Fact>
        ) : null}
        <Fact name={t.signing.data}>
          <span className="inline-flex items-center gap-1 font-mono text-xs">
            {data.slice(0, 10)}… <Copy text={data} label={t.signing.data} />
          </span>
        </Fact>
      </Facts>
    </div>
  )
}

type WayName = keyof typeof t.signing.ways

function Ways({ job, onSent }: { job: Job; onSent: (hashes: readonly Hex[]) => void }) {
  const demo = useDemoRoles()
  const isDemo = (demo.data?.length ?? 0) > 0
  const [chosen, choose] = useState<WayName>()
  const way = chosen ?? (isDemo ? 'demo' : 'wallet')
  const names: readonly WayName[] = isDemo ? ['demo', 'wallet', 'safe', 'relayer'] : ['wallet', 'safe', 'relayer']
  return (
    <Part title={t.signing.how}>
      <div role="radiogroup" aria-label={t.signing.how} className="mb-3 flex flex-wrap gap-1 rounded-md bg-raised p-1">
        {names.map((name) => (
          <label
            key={name}
            className={`flex-1 cursor-pointer rounded px-2 py-1.5 text-center text-xs font-medium whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent ${way === name ? 'bg-panel shadow-xs' : 'text-muted'}`}
          >
            <input type="radio" name="way" className="sr-only" checked={way === name} onChange={() => choose(name)} />
            {t.signing.ways[name]}
          </label>
        ))}
      </div>
      {way === 'demo' ? <DemoWay job={job} onSent={onSent} /> : null}
      {way === 'wallet' ? <WalletWay job={job} onSent={onSent} /> : null}
      {way === 'safe' ? <SafeWay job={job} onSent={onSent} /> : null}
      {way === 'relayer' ? <p className="text-sm text-muted">{t.signing.relayerAbout}</p> : null}
    </Part>
  )
}

interface WayProps {
  readonly job: Job
  readonly onSent: (hashes: readonly Hex[]) => void
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

function WrongAccount({ signer, own }: { signer: string; own: string }) {
  return (
    <Notice tone="warn">
      <span className="flex flex-wrap items-center gap-x-1.5">
        {t.signing.wrongAccount} <Address value={signer} /> {t.signing.yours} <Address value={own} />
      </span>
    </Notice>
  )
}

/** A second click while the first is under way does nothing, not even before the page has been drawn again. */
function useSign({ job, onSent }: WayProps) {
  const busy = useRef(false)
  const [isSigning, setSigning] = useState(false)
  const [fault, setFault] = useState<string>()
  async function sign(way: Way) {
    if (busy.current) return
    busy.current = true
    setSigning(true)
    setFault(undefined)
    try {
      onSent(await signJob(job, way, onSent))
    } catch (error) {
      setFault(isRejection(error) ? t.signing.rejected : messageOf(error))
    } finally {
      busy.current = false
      setSigning(false)
    }
  }
  return { sign, isSigning, fault }
}

function SignButton({
  job,
  isSigning,
  disabled,
  onSign,
}: {
  job: Job
  isSigning: boolean
  disabled: boolean
  onSign: () => void
}) {
  const wouldFail = job.simulation?.simulated === true && !job.simulation.success
  const [anyway, setAnyway] = useState(false)
  return (
    <div className="space-y-2">
      {wouldFail ? (
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" checked={anyway} onChange={(event) => setAnyway(event.target.checked)} />
          {t.signing.failsAnyway}
        </label>
      ) : null}
      <Button
        look="primary"
        className="w-full"
        disabled={disabled || isSigning || (wouldFail && !anyway)}
        onClick={onSign}
      >
        {isSigning ? t.signing.signing : t.signing.sign}
      </Button>
    </div>
  )
}

function DemoWay(props: WayProps) {
  const { job } = props
  const { user } = useSignedIn()
  const own = user?.address ?? null
  const { sign, isSigning, fault } = useSign(props)
  const isWrong = job.signer !== undefined && own !== null && !isSame(job.signer, own)
  return (
    <div className="space-y-3">
      <p className="text-sm text-muted">{t.signing.demoAbout}</p>
      {user && own ? <Address value={own} name={user.name} /> : null}
      {isWrong && job.signer && own ? <WrongAccount signer={job.signer} own={own} /> : null}
      {fault ? <Notice tone="bad">{fault}</Notice> : null}
      <SignButton
        job={job}
        isSigning={isSigning}
        disabled={isWrong || own === null}
        onSign={() => void sign({ kind: 'demo' })}
      />
    </div>
  )
}

function WalletWay(props: WayProps) {
  const { job } = props
  const wallets = useWallets()
  const connection = useConnection()
  const { sign, isSigning, fault } = useSign(props)
  const [refused, setRefused] = useState<string>()
  const attempt = (work: Promise<unknown>) =>
    void work.then(
      () => setRefused(undefined),
      (error: unknown) => setRefused(isRejection(error) ? t.signing.rejected : messageOf(error)),
    )
  if (!connection)
    return (
      <div className="space-y-2">
        <p className="text-sm text-muted">{wallets.length === 0 ? t.signIn.noWallet : t.signing.walletAbout}</p>
        {refused ? <Notice tone="bad">{refused}</Notice> : null}
        {wallets.map((wallet) => (
          <Button key={wallet.info.uuid} className="w-full" onClick={() => attempt(connect(wallet))}>
            {iconOf(wallet) ? <img src={iconOf(wallet)} alt="" className="size-4" /> : <Icon name="wallet" />}
            {t.signing.connect} {wallet.info.name}
          </Button>
        ))}
      </div>
    )
  const chainId = job.calls[0]?.chainId
  const isWrongChain = chainId !== undefined && connection.chainId !== chainId
  const isWrongAccount = job.signer !== undefined && !isSame(job.signer, connection.address)
  return (
    <div className="space-y-3">
      <p className="text-sm text-muted">{t.signing.walletAbout}</p>
      <Address value={connection.address} name={connection.wallet.info.name} />
      {isWrongChain ? (
        <Notice tone="warn">
          <span className="flex items-center justify-between gap-2">
            <span>
              {t.signing.wrongChain} {connection.chainId}, {t.signing.rightChain} {chainId}.
            </span>
            <Button small onClick={() => attempt(switchChain(connection, chainId))}>
              {t.signing.switchChain}
            </Button>
          </span>
        </Notice>
      ) : null}
      {isWrongAccount && job.signer ? <WrongAccount signer={job.signer} own={connection.address} /> : null}
      {(fault ?? refused) ? <Notice tone="bad">{fault ?? refused}</Notice> : null}
      <SignButton
        job={job}
        isSigning={isSigning}
        disabled={isWrongChain || isWrongAccount}
        onSign={() => void sign({ kind: 'wallet', connection })}
      />
    </div>
  )
}

const HASH = /^0x[0-9a-fA-F]{64}$/

function SafeWay({ job, onSent }: WayProps) {
  const [hash, setHash] = useState('')
  const [fault, setFault] = useState<string>()
  function report() {
    const text = hash.trim()
    if (!HASH.test(text)) return setFault(t.signing.hashFault)
    setFault(undefined)
    const reported = job.calls.map(() => text as Hex)
    keepHashes(job.id, reported)
    void announce(job, text as Hex).catch(() => {})
    onSent(reported)
  }
  return (
    <div className="space-y-3">
      <p className="text-sm text-muted">{t.signing.safeAbout}</p>
      <Button className="w-full" onClick={() => saveSafeFile(job)}>
        <Icon name="file" /> {t.signing.save}
      </Button>
      <Field label={t.signing.hash} value={hash} onChange={setHash} fault={fault} placeholder="0x…" />
      <Button className="w-full" disabled={hash === ''} onClick={report}>
        {t.signing.report}
      </Button>
    </div>
  )
}
