import { t } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'

export type InstancesToChoose = readonly { readonly instanceId: string; readonly name: string }[]

/** For whoever is a user of several. */
export function Instances({
  of,
  disabled = false,
  onChoose,
}: {
  of: InstancesToChoose
  disabled?: boolean
  onChoose: (instanceId: string) => void
}) {
  return (
    <div className="space-y-2">
      <p className="text-sm">{t.signIn.choose}</p>
      {of.map(({ instanceId, name }) => (
        <Button key={instanceId} className="w-full" disabled={disabled} onClick={() => onChoose(instanceId)}>
          {name}
        </Button>
      ))}
    </div>
  )
}
