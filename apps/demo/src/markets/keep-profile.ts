import type { DemoMarket } from '../demo-world.ts'
import { seekingPlan } from './market-plan.ts'
import { markets, type Stage } from './market-stage.ts'

interface AssetData {
  readonly profile: { readonly changedSinceAttestation: boolean | null } | null
  readonly attested: { readonly version: number } | null
}

/** The issuer tells something new about the security whenever all of it is attested: there is always something to attest. */
export async function keepChangedProfile({ world, issuer }: Stage, { marketAddress }: DemoMarket): Promise<void> {
  const facts = await issuer.call<AssetData>('GET', `${markets}/${marketAddress}/asset-data`)
  if (facts.profile?.changedSinceAttestation !== false) return
  const path = `/external-tokens/api/${world.tokens[seekingPlan.symbol]}`
  const { profile } = await issuer.call<{ profile: Record<string, unknown> | null }>('GET', path)
  const uri = `https://alpine-uhren.example/report-${facts.attested?.version ?? 1}.pdf`
  const documents = [{ name: 'Interim report', uri }]
  await issuer.call('PUT', `${path}/profile`, { profile: { ...profile, documents } })
}
