import type { Address } from 'viem'
import type { Chains } from '../platform/chain/chains.ts'
import type { Clock } from '../platform/clock.ts'
import type { Sql } from '../platform/db/database.ts'
import type { Instance } from '../platform/http/caller.ts'
import { newId } from '../platform/ids.ts'
import type { Random } from '../platform/random.ts'
import { questionToken } from './detection.reads.ts'
import { detect, evidenceOf } from './detection.rules.ts'
import * as store from './imports.store.ts'
import { MAX_ACTIVE_IMPORTS, supplyDate } from './tokens.service.ts'
import { warnOfToken } from './warn-of-token.ts'

interface ImporterParts {
  readonly clock: Clock
  readonly random: Random
  readonly chains: Chains
}

/** Imports of tokens that the product itself made: part of another write, which they never refuse. */
export function createTokenImporter({ clock, random, chains }: ImporterParts) {
  return {
    /** Reads the token. What it returns runs in the caller's transaction and tells whether the token is imported then. */
    async prepare(instance: Instance, tokenAddress: Address) {
      const { instanceId, chainId } = instance
      const chain = chains.get(chainId)
      const { block, answers } = await questionToken(chain, tokenAddress)
      const verdict = detect(answers)
      const token = verdict.kind === 'token' ? verdict.token : null
      const warnings = token ? await warnOfToken(chain, block, tokenAddress, token.framework) : []
      const isActive = async (sql: Sql) => (await store.findActive(sql, instanceId, tokenAddress)).length > 0
      return {
        isActive,
        async run(sql: Sql): Promise<boolean> {
          await store.lockImports(sql, instanceId)
          if (await isActive(sql)) return true
          const isFull = (await store.countActive(sql, instanceId)) >= MAX_ACTIVE_IMPORTS
          if (isFull || !token) return false
          await store.insertImport(sql, instanceId, {
            ...token,
            ...supplyDate(block),
            warnings,
            importId: newId(clock, random),
            chainId,
            tokenAddress,
            assetType: 'PUBLIC_EQUITY',
            imageURI: null,
            evidence: evidenceOf(answers),
            importedAt: clock.now(),
          })
          return true
        },
      }
    },
  }
}
