import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { tally } from '../../api/client.ts'
import { connect, type KnownWallet, signText, useWallets } from '../../api/wallets.ts'
import { t } from '../../texts/index.ts'
import { Notice } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'

const text = t.instance.add
const { access } = tally

/** Whoever controls the wallet signs a text of the service with it. Nothing is sent. */
export function AddWallet({ onClose }: { onClose: () => void }) {
  const wallets = useWallets()
  const [label, setLabel] = useState('')
  const { act, fault, isBusy } = useAct('wallets')

  async function register(wallet: KnownWallet): Promise<void> {
    const added = await act(async () => {
      const connection = await connect(wallet)
      const { address } = connection
      const { data } = await access.challengeWallet({ body: { address } })
      const signature = await signText(connection, data.message)
      const named = label.trim() === '' ? {} : { label: label.trim() }
      return access.registerWallet({ body: { address, nonce: data.nonce, signature, ...named } })
    })
    if (added) onClose()
  }

  return (
    <Dialog title={text.title} onClose={onClose}>
      <div className="space-y-4 p-5">
        <p className="text-sm text-muted">{text.about}</p>
        <Field label={text.label} value={label} onChange={setLabel} maxLength={100} aside={t.forms.optional} />
        {wallets.length === 0 ? <Notice>{text.none}</Notice> : null}
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        {wallets.map((wallet) => (
          <Button
            key={wallet.info.uuid}
            look="primary"
            className="w-full"
            disabled={isBusy}
            onClick={() => void register(wallet)}
          >
            {text.sign} {wallet.info.name}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
