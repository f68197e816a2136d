import type { Address } from '@tallystick/sdk'
import { tally } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { WriteForm } from '../write-form.tsx'

const text = t.investors

/** A number of days as the service takes it. */
const daysOf = (typed: string | undefined) => (typed === undefined ? {} : { expiryDays: Number(typed) })

/** Verifies a wallet, or renews what is known of it. */
export function Verify({ walletAddress, onDone }: { walletAddress?: string; onDone?: () => void }) {
  return (
    <WriteForm
      method={tally.identity.verifyIdentity}
      title={text.verify}
      about={text.verifyAbout}
      fields={[
        {
          key: 'walletAddress',
          label: text.wallet,
          kind: 'address',
          ...(walletAddress ? { start: walletAddress } : {}),
        },
        { key: 'country', label: text.country, kind: 'text', help: text.countryHelp },
        { key: 'investorType', label: text.type, kind: 'text', start: 'RETAIL', help: text.typeHelp },
        { key: 'dossier', label: text.dossier, kind: 'text', help: text.dossierHelp },
        { key: 'days', label: text.validDays, kind: 'amount', start: '365', help: text.validHelp, optional: true },
      ]}
      request={({ walletAddress: wallet = '', country = '', investorType = '', dossier = '', days }) => ({
        body: {
          walletAddress: wallet as Address,
          country,
          investorType: investorType.toUpperCase().replaceAll(' ', '_'),
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
