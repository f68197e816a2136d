import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import { optionalAddress } from '../core/index.ts'

export function requireProvider(text: string | undefined, refuse: Refuse<'PROVIDER_REQUIRED'>): Address {
  const provider = optionalAddress('provider', text)
  if (!provider) throw refuse('PROVIDER_REQUIRED')
  return provider
}
