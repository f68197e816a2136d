import type { AssetType, DataOf, tokensOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { formatUnits } from '../platform/amounts.rules.ts'
import { AppError, fieldError } from '../platform/app-error.ts'
import { requireAddress } from '../platform/chain/address.ts'
import type { Block } from '../platform/chain/block.ts'
import type { Chains } from '../platform/chain/chains.ts'
import type { Clock } from '../platform/clock.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Instance } from '../platform/http/caller.ts'
import { newId } from '../platform/ids.ts'
import type { Random } from '../platform/random.ts'
import { RawJson } from '../platform/raw-json.ts'
import { questionToken } from './detection.reads.ts'
import { detect, type Evidence, evidenceOf, type TokenFacts } from './detection.rules.ts'
import * as store from './imports.store.ts'
import { isPublicUri, profileFaults, type TokenProfile, withoutEmptyFields } from './profile.rules.ts'
import { warnOfToken } from './warn-of-token.ts'

export const MAX_ACTIVE_IMPORTS = 200

interface Detected {
  readonly block: Block
  readonly token: TokenFacts & Pick<store.ChainHalf, 'supplyReadAt' | 'supplyBlock'>
  readonly evidence: Evidence[]
}

function requireImage(imageURI: string): string {
  if (!isPublicUri(imageURI)) throw new AppError('INVALID_IMAGE_URI')
  return imageURI
}

function chainHalf(address: string, half: Omit<store.ChainHalf, 'warnings'>) {
  return {
    tokenAddress: address,
    name: half.name,
    symbol: half.symbol,
    decimals: half.decimals,
    framework: half.framework,
    totalSupply: formatUnits(half.totalSupplyRaw, half.decimals),
    totalSupplyAt: half.supplyReadAt?.toISOString() ?? null,
    totalSupplyBlock: half.supplyBlock?.toString() ?? null,
  }
}

/** When what was read at a block was so. */
export const supplyDate = ({ number, time }: Block) => ({
  supplyReadAt: new Date(time * 1000),
  supplyBlock: number,
})

export function createTokensService({ clock, random, chains }: { clock: Clock; random: Random; chains: Chains }) {
  async function detectOn(instance: Instance, address: Address): Promise<Detected> {
    const { block, answers } = await questionToken(chains.get(instance.chainId), address)
    const verdict = detect(answers)
    switch (verdict.kind) {
      case 'not-a-contract':
        throw new AppError('NOT_A_CONTRACT')
      case 'unsupported':
        throw new AppError('UNSUPPORTED_TOKEN', {
          detail: `This contract is none of the five frameworks. ${verdict.reason}`,
        })
      case 'unreadable':
        throw new AppError('DETECTION_FAILED', {
          detail: `The contract looks like ${verdict.framework}, but ${verdict.failure}, and guessing it could cost money.`,
        })
      case 'token':
        return { block, token: { ...verdict.token, ...supplyDate(block) }, evidence: evidenceOf(answers) }
    }
  }

  const warningsOf = ({ chainId }: Instance, address: Address, { block, token }: Detected) =>
    warnOfToken(chains.get(chainId), block, address, token.framework)

  function asDetection(instance: Instance, address: string, detected: Detected, alreadyImported: boolean) {
    return {
      ...chainHalf(address, detected.token),
      environment: instance.environment,
      details: detected.token.facts,
      alreadyImported,
      ...(detected.token.degraded ? { degradedMetadata: true as const } : {}),
      evidence: detected.evidence,
    }
  }

  async function requireActive(tenant: TenantDatabase, address: string): Promise<store.ImportRow> {
    const [row] = await tenant.read((sql) => store.readActive(sql, tenant.instanceId, address))
    if (!row) throw new AppError('IMPORT_NOT_FOUND')
    return row
  }

  return {
    async list(tenant: TenantDatabase): Promise<RawJson<DataOf<typeof tokensOperations.listImports>>> {
      return new RawJson(await store.listActiveAsJson(tenant))
    },

    async detect(tenant: TenantDatabase, instance: Instance, addressText: string) {
      const address = requireAddress(addressText)
      const [[known], detected] = await Promise.all([
        tenant.read((sql) => store.findActive(sql, tenant.instanceId, address)),
        detectOn(instance, address),
      ])
      return { data: asDetection(instance, address, detected, known !== undefined), block: detected.block }
    },

    async import(
      tenant: TenantDatabase,
      instance: Instance,
      request: { tokenAddress: string; assetType: AssetType; imageURI?: string },
    ) {
      const tokenAddress = requireAddress(request.tokenAddress)
      const imageURI = request.imageURI ? requireImage(request.imageURI) : null
      const detected = await detectOn(instance, tokenAddress)
      const { block, token, evidence } = detected
      const warnings = await warningsOf(instance, tokenAddress, detected)
      const importedAt = clock.now()
      const row = {
        ...token,
        importId: newId(clock, random),
        chainId: instance.chainId,
        tokenAddress,
        assetType: request.assetType,
        imageURI,
        warnings,
        evidence,
        importedAt,
      }
      await tenant.transaction(async (sql) => {
        await store.lockImports(sql, tenant.instanceId)
        const [active] = await store.findActive(sql, tenant.instanceId, tokenAddress)
        if (active) throw new AppError('ALREADY_IMPORTED')
        if ((await store.countActive(sql, tenant.instanceId)) >= MAX_ACTIVE_IMPORTS)
          throw new AppError('IMPORT_LIMIT_REACHED')
        await store.insertImport(sql, tenant.instanceId, row)
      })
      const { assetType } = request
      const data = {
        ...chainHalf(tokenAddress, token),
        assetType,
        imageURI,
        warnings,
        importedAt: importedAt.toISOString(),
        status: 'active' as const,
      }
      return { data, block }
    },

    async get(tenant: TenantDatabase, addressText: string) {
      const address = requireAddress(addressText)
      const row = await requireActive(tenant, address)
      return {
        ...chainHalf(address, row),
        assetType: row.assetType,
        imageURI: row.imageURI,
        metadata: row.facts,
        warnings: [...row.warnings],
        importedAt: row.importedAt.toISOString(),
        updatedAt: row.updatedAt.toISOString(),
        profile: row.profile,
        evidence: row.evidence,
      }
    },

    async refresh(tenant: TenantDatabase, instance: Instance, addressText: string) {
      const address = requireAddress(addressText)
      const stored = await requireActive(tenant, address)
      const detected = await detectOn(instance, address)
      const frameworkMatches = detected.token.framework === stored.framework
      const warnings = frameworkMatches ? await warningsOf(instance, address, detected) : []
      const half = { ...detected.token, warnings, evidence: detected.evidence }
      const rewritten = frameworkMatches
        ? await tenant.transaction((sql) => store.rewriteChainHalf(sql, tenant.instanceId, address, half, clock.now()))
        : stored
      if (!rewritten) throw new AppError('IMPORT_NOT_FOUND')
      const record = {
        ...chainHalf(address, rewritten),
        metadata: rewritten.facts,
        warnings: [...rewritten.warnings],
        updatedAt: rewritten.updatedAt.toISOString(),
      }
      const onchain = asDetection(instance, address, detected, true)
      return {
        data: { onchain, storedFramework: stored.framework, frameworkMatches, persisted: frameworkMatches, record },
        block: detected.block,
      }
    },

    async setProfile(tenant: TenantDatabase, addressText: string, request: TokenProfile | null) {
      const address = requireAddress(addressText)
      const faults = request === null ? [] : profileFaults(request)
      if (faults.length > 0) throw fieldError('INVALID_PROFILE', faults)
      const profile = request === null ? null : withoutEmptyFields(request)
      const now = clock.now()
      if (!(await tenant.transaction((sql) => store.setProfile(sql, tenant.instanceId, address, profile, now))))
        throw new AppError('IMPORT_NOT_FOUND')
      return { tokenAddress: address, profile, updatedAt: now.toISOString() }
    },

    async setImage(tenant: TenantDatabase, addressText: string, imageURI: string | null) {
      const address = requireAddress(addressText)
      if (imageURI !== null) requireImage(imageURI)
      const now = clock.now()
      if (!(await tenant.transaction((sql) => store.setImage(sql, tenant.instanceId, address, imageURI, now))))
        throw new AppError('IMPORT_NOT_FOUND')
      return { tokenAddress: address, imageURI, updatedAt: now.toISOString() }
    },

    async revoke(tenant: TenantDatabase, addressText: string) {
      const address = requireAddress(addressText)
      if (!(await tenant.transaction((sql) => store.revokeImport(sql, tenant.instanceId, address, clock.now()))))
        throw new AppError('IMPORT_NOT_FOUND')
    },
  }
}

export type TokensService = ReturnType<typeof createTokensService>
