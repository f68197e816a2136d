import type { Address as AddressValue, ListProofs } from '@tallystick/sdk'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { tally } from '../../api/client.ts'
import { useExposure, useIdentity, useProofs } from '../../api/registry.ts'
import { useOwnAddress } from '../../api/session.ts'
import { shortAddress, showWords } from '../../lib/format.ts'
import { useWrite } from '../../signing/use-write.ts'
import { t } from '../../texts/index.ts'
import { showUnits } from '../../trade/units.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Badge, Notice } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Address, Amount, AsOf, Copy, When } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { InvestorStatus } from './investors.tsx'
import { TransferTalk } from './transfer-talk.tsx'
import { AddClaim, BY_HAND, Verify } from './verify.tsx'

const text = t.investors
const SLOTS = [
  'KYC',
  'AML',
  'ACCREDITATION',
  'RESIDENCY',
  'CITIZENSHIP',
  'TAX_RESIDENCY',
  'SANCTIONS_CHECK',
  'PEP_CHECK',
] as const
type SlotName = (typeof SLOTS)[number]
type Proof = ListProofs['data']['proofs'][number]

interface Slot {
  readonly name: SlotName
  readonly claim: Proof | undefined
}

type Asking =
  | { readonly kind: 'claim' | 'proof' | 'add'; readonly slot: SlotName }
  | { readonly kind: 'identity' | 'verify' | 'another' }

/** The file of one investor. */
export function InvestorPage() {
  const { walletAddress = '' } = useParams({ strict: false })
  const { registry } = useSearch({ strict: false }) as { registry?: AddressValue }
  const wallet = walletAddress as AddressValue
  const identity = useIdentity(wallet, registry)
  const proofs = useProofs(wallet, registry)
  const [asking, setAsking] = useState<Asking>()
  return (
    <>
      <PageHead
        back={<BackLink to="/investors" name={text.title} />}
        title={
          <span className="inline-flex items-center gap-1">
            {text.file} <span className="font-mono text-xl">{shortAddress(wallet)}</span>{' '}
            <Copy text={wallet} label={wallet} />
          </span>
        }
        aside={
          <>
            <AsOf metadata={identity.data?.metadata} />
            <Button onClick={() => setAsking({ kind: 'another' })}>{text.another}</Button>
            <Button onClick={() => setAsking({ kind: 'verify' })}>{text.renew}</Button>
            <Button look="danger" onClick={() => setAsking({ kind: 'identity' })}>
              {text.revokeIdentity}
            </Button>
          </>
        }
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title={text.identity}>
          <Loaded query={identity} rows={5}>
            {({ data: { onChain, registryAddress, registerKind, offChain } }) => (
              <Facts>
                <Fact name={text.columns.status}>
                  <InvestorStatus status={onChain.status} frozen={onChain.frozen} />
                </Fact>
                {onChain.unavailable ? <Fact name={text.unread}>{onChain.unavailableReason}</Fact> : null}
                <Fact name={text.columns.country}>{onChain.country ?? '–'}</Fact>
                <Fact name={text.columns.type}>
                  {onChain.investorTypeLabel ? showWords(onChain.investorTypeLabel) : '–'}
                </Fact>
                <Fact name={text.verifiedAt}>
                  <When at={onChain.timestamp} as="day" />
                </Fact>
                <Fact name={text.softExpiry}>
                  {onChain.softExpiry ? <When at={onChain.softExpiry} as="day" /> : text.never}
                </Fact>
                <Fact name={text.hardExpiry}>
                  {onChain.hardExpiry ? <When at={onChain.hardExpiry} as="day" /> : text.never}
                </Fact>
                <Fact name={text.provider}>
                  <Address value={onChain.kycProvider} />
                </Fact>
                <Fact name={text.registry}>
                  <Address value={registryAddress} name={registerKind} />
                </Fact>
                <Fact name={text.ownRecord}>{offChain ? text.records[offChain.status] : text.noRecord}</Fact>
              </Facts>
            )}
          </Loaded>
        </Panel>
        <Depends walletAddress={wallet} title={text.depends} />
      </div>
      <div className="mt-4 space-y-4">
        <Loaded query={proofs} rows={8}>
          {({ data }) => (
            <Slots
              slots={SLOTS.map((name) => ({
                name,
                claim: data.proofs.find(({ claimTypeLabel }) => claimTypeLabel === name),
              }))}
              onAsk={setAsking}
            />
          )}
        </Loaded>
        <TransferTalk to={wallet} />
      </div>
      {asking ? (
        <Asked
          asking={asking}
          walletAddress={wallet}
          registryAddress={registry ?? identity.data?.data.registryAddress}
          known={{
            country: identity.data?.data.onChain.country ?? null,
            investorType: identity.data?.data.onChain.investorTypeLabel ?? null,
          }}
          onClose={() => setAsking(undefined)}
        />
      ) : null}
    </>
  )
}

function Slots({ slots, onAsk }: { slots: readonly Slot[]; onAsk: (asking: Asking) => void }) {
  const columns: readonly Column<Slot>[] = [
    {
      key: 'slot',
      name: text.columns.slot,
      cell: ({ name }) => <span className="font-medium">{text.slots[name]}</span>,
      csv: ({ name }) => name,
    },
    {
      key: 'state',
      name: text.columns.state,
      cell: ({ claim }) => (claim ? <Badge tone="good">{text.filled}</Badge> : <Badge>{text.empty}</Badge>),
      csv: ({ claim }) => (claim ? 'filled' : ''),
    },
    {
      key: 'source',
      name: text.columns.source,
      wide: true,
      cell: ({ claim }) => (claim ? text.sources[claim.source] : '–'),
      csv: ({ claim }) => claim?.source ?? '',
    },
    {
      key: 'issuer',
      name: text.columns.issuer,
      wide: true,
      cell: ({ claim }) => <Address value={claim?.issuer} />,
      csv: ({ claim }) => claim?.issuer ?? '',
    },
    {
      key: 'issued',
      name: text.columns.issued,
      wide: true,
      cell: ({ claim }) => <When at={claim?.issuedAt} as="day" />,
      csv: ({ claim }) => String(claim?.issuedAt ?? ''),
    },
    {
      key: 'expiry',
      name: text.columns.expires,
      wide: true,
      cell: ({ claim }) =>
        claim === undefined ? (
          '–'
        ) : claim.expiry ? (
          <When at={claim.expiry} as="day" />
        ) : (
          <span className="text-muted">{text.never}</span>
        ),
      csv: ({ claim }) => String(claim?.expiry ?? ''),
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: ({ name, claim }) => {
        if (claim)
          return (
            <Button
              small
              look="danger"
              onClick={() => onAsk({ kind: claim.source === 'proof' ? 'proof' : 'claim', slot: name })}
            >
              {claim.source === 'proof' ? text.revokeProof : text.revokeClaim}
            </Button>
          )
        return (BY_HAND as readonly string[]).includes(name) ? (
          <Button small onClick={() => onAsk({ kind: 'add', slot: name })}>
            {text.fill}
          </Button>
        ) : (
          <span className="text-xs text-muted">{text.wantsProof}</span>
        )
      },
      csv: () => '',
    },
  ]
  return (
    <Table
      title={text.claims}
      rows={slots}
      columns={columns}
      rowKey={({ name }) => name}
      empty={<Empty title={text.none} />}
    />
  )
}

/** Loans, orders and shares that a change upon the wallet would touch. */
function Depends({ walletAddress, title }: { walletAddress: AddressValue; title: string }) {
  const exposure = useExposure({ walletAddress })
  return (
    <Panel title={title}>
      <Loaded query={exposure} rows={4}>
        {({ data: { loans, orders, holdings, truncated } }) => (
          <Facts>
            <Fact name={text.holdings}>
              {holdings.length === 0
                ? t.none
                : holdings.map(({ tokenAddress, balance, symbol }) => (
                    <span key={tokenAddress} className="block">
                      <Amount value={balance} unit={symbol} />
                    </span>
                  ))}
            </Fact>
            <Fact name={text.loans}>
              {loans.length === 0
                ? t.none
                : loans.map(({ marketId, loanId, collateral, collateralSymbol, mode }) => (
                    <span key={`${marketId}-${loanId}`} className="block">
                      <Link
                        to="/markets/$marketId/loans/$loanId"
                        params={{ marketId, loanId }}
                        className="text-accent underline"
                      >
                        {t.loans.of} {loanId}
                      </Link>{' '}
                      <Amount value={collateral} unit={collateralSymbol} /> · {t.markets.modes[mode]}
                    </span>
                  ))}
            </Fact>
            <Fact name={text.orders}>
              {orders.length === 0
                ? t.none
                : orders.slice(0, 10).map(({ orderId, side, symbol, remaining }) => (
                    <span key={orderId} className="num block">
                      {showWords(side)} {showUnits(remaining)} <span className="text-muted">{symbol}</span>
                    </span>
                  ))}
            </Fact>
            {truncated ? <Fact name={text.more}>{text.moreAbout}</Fact> : null}
          </Facts>
        )}
      </Loaded>
    </Panel>
  )
}

interface AskedProps {
  readonly asking: Asking
  readonly walletAddress: AddressValue
  readonly registryAddress: AddressValue | undefined
  readonly known: { readonly country: string | null; readonly investorType: string | null }
  readonly onClose: () => void
}

function Asked({ asking, walletAddress, registryAddress, known, onClose }: AskedProps) {
  if (asking.kind === 'verify' || asking.kind === 'another') {
    const isOther = asking.kind === 'another'
    return (
      <Dialog title={isOther ? text.another : text.renew} onClose={onClose}>
        <div className="p-5">
          <Verify
            known={isOther ? known : { ...known, walletAddress }}
            onDone={onClose}
            {...(isOther ? { title: text.another, about: text.anotherAbout } : {})}
          />
        </div>
      </Dialog>
    )
  }
  if (asking.kind === 'add')
    return registryAddress ? (
      <Dialog title={`${text.addClaim}: ${text.slots[asking.slot]}`} onClose={onClose}>
        <div className="p-5">
          <AddClaim {...{ walletAddress, registryAddress, onDone: onClose }} claimType={asking.slot} />
        </div>
      </Dialog>
    ) : null
  return <Revocation {...{ asking, walletAddress, registryAddress, known, onClose }} />
}

/** What a revocation will cause, before anybody signs it. */
function Revocation({ asking, walletAddress, registryAddress, onClose }: AskedProps) {
  const own = useOwnAddress()
  const { revokeClaim, revokeProof, revokeIdentity } = tally.identity
  const options = (title: string) => ({ title, signer: own, onDone: onClose })
  const claim = useWrite(revokeClaim, options(text.revokeClaim))
  const proof = useWrite(revokeProof, options(text.revokeProof))
  const whole = useWrite(revokeIdentity, options(text.revokeIdentity))
  const chosen = asking.kind === 'proof' ? proof : asking.kind === 'claim' ? claim : whole
  const slot = 'slot' in asking ? asking.slot : undefined
  const title = slot
    ? `${asking.kind === 'proof' ? text.revokeProof : text.revokeClaim}: ${text.slots[slot]}`
    : text.revokeIdentity
  const registry = registryAddress ? { registryAddress } : {}
  const start = () => {
    if (slot === undefined) return whole.start({ body: { walletAddress, ...registry } })
    const request = { body: { walletAddress, claimType: slot, ...registry } }
    return asking.kind === 'proof' ? proof.start(request) : claim.start(request)
  }
  const fault = Object.values(chosen.faults)[0]
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="space-y-4 p-5">
        <Notice tone="warn">{slot ? text.causesClaim : text.causesIdentity}</Notice>
        <Depends walletAddress={walletAddress} title={text.touches} />
        <ul className="list-disc space-y-1 pl-5 text-sm text-muted">
          <li>{text.causesLoans}</li>
          <li>{text.causesOrders}</li>
          <li>{text.causesLiens}</li>
        </ul>
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Button look="danger" className="w-full" disabled={chosen.isBuilding} onClick={() => void start()}>
          {t.forms.review}
        </Button>
      </div>
    </Dialog>
  )
}
