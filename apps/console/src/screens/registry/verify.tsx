import type { Address } from '@tallystick/sdk'
import { tally } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { WriteForm } from '../write-form.tsx'

const text = t.investors

/** A number of days as the service takes it. */
const daysOf = (typed: string | undefined) => (typed === undefined ? {} : { expiryDays: Number(typed) })

interface Known {
  readonly walletAddress?: string
  readonly country?: string | null
  readonly investorType?: string | null
}

interface VerifyProps {
  /** What the form begins with. */
  readonly known?: Known
  readonly title?: string
  readonly about?: string
  readonly onDone?: () => void
}

/** A wallet that was never verified is of no kind; nobody is verified as that. */
const typeToBegin = (known: string | null | undefined) => (!known || known === 'NONE' ? 'RETAIL' : known)

const TYPES = Object.entries(text.types).map(([value, name]) => ({ value, name }))

/** Verifies a wallet, or renews what is known of it. */
export function Verify({ known = {}, title = text.verify, about = text.verifyAbout, onDone }: VerifyProps) {
  const { walletAddress = '', country, investorType } = known
  return (
    <WriteForm
      method={tally.identity.verifyIdentity}
      title={title}
      about={about}
      fields={[
        { key: 'walletAddress', label: text.wallet, kind: 'address', start: walletAddress },
        { key: 'country', label: text.country, kind: 'text', start: country ?? '', help: text.countryHelp },
        { key: 'investorType', label: text.type, kind: 'text', start: typeToBegin(investorType), choices: TYPES },
        { key: 'dossier', label: text.dossier, kind: 'text', help: text.dossierHelp },
        { key: 'days', label: text.validDays, kind: 'amount', start: '365', help: text.validHelp, optional: true },
      ]}
      request={({ walletAddress: wallet = '', country: where = '', investorType: type = '', dossier = '', days }) => ({
        body: {
          walletAddress: wallet as Address,
          country: where,
          investorType: type,
          kycData: { dossier },
          ...(days === undefined ? {} : { hardExpiryDays: Number(days) }),
        },
      })}
      {...(onDone ? { onDone } : {})}
    />
  )
}

/** The slots that a clerk fills; the others want a proof. */
export const BY_HAND = ['AML', 'TAX_RESIDENCY', 'SANCTIONS_CHECK', 'PEP_CHECK'] as const

export function AddClaim({
  walletAddress,
  registryAddress,
  claimType,
  onDone,
}: {
  walletAddress: Address
  registryAddress: Address
  claimType: string
  onDone: () => void
}) {
  return (
    <WriteForm
      method={tally.identity.addClaim}
      title={text.addClaim}
      about={text.addClaimAbout}
      fields={[
        { key: 'dataInput', label: text.evidence, kind: 'text', help: text.dossierHelp },
        { key: 'days', label: text.validDays, kind: 'amount', start: '365', help: text.validHelp, optional: true },
      ]}
      request={({ dataInput = '', days }) => ({
        body: { walletAddress, registryAddress, claimType, dataInput, ...daysOf(days) },
      })}
      onDone={onDone}
    />
  )
}
