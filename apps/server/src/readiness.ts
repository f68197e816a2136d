import { surveyNodes } from './platform/chain/agreement.ts'
import type { Chains } from './platform/chain/chains.ts'
import type { Database } from './platform/db/database.ts'
import { currentVersion } from './platform/db/migrate.ts'
import type { Readiness } from './platform/http/readiness.ts'
import type { Metrics } from './platform/metrics.ts'

/** A newer schema is served as long as no release that this one knows less than took something away from it. */
function databaseReadiness(database: Database): Readiness {
  return {
    part: 'database',
    async check() {
      const [row] = await database.owner<{ version: number | null; needs: number }[]>`
        select max(version) as version, max(needs) as needs from schema_migrations`
      const [own, version, needs] = [currentVersion(), row?.version ?? 0, row?.needs ?? 0]
      if (version < own) return `at version ${version}, this release needs ${own}`
      return needs > own
        ? `at version ${version}, which needs a release that knows ${needs}; this one knows ${own}`
        : undefined
    },
  }
}

function chainReadiness(chains: Chains, metrics: Metrics): Readiness[] {
  return chains.all.map(({ chainId, rpc }) => ({
    part: `chain ${chainId}`,
    required: false,
    async check() {
      const survey = await surveyNodes(rpc)
      metrics.nodesReachable.set({ chain: String(chainId) }, survey.reachable)
      metrics.nodesDisagree.set({ chain: String(chainId) }, survey.agree ? 0 : 1)
      if (survey.reachable === 0) return 'no node answers'
      return survey.agree ? undefined : 'its nodes show different blocks at one height'
    },
  }))
}

/** What both an API and a worker stand on. */
export const connectionsReadiness = (
  { database, chains }: { readonly database: Database; readonly chains: Chains },
  metrics: Metrics,
): Readiness[] => [databaseReadiness(database), ...chainReadiness(chains, metrics)]
