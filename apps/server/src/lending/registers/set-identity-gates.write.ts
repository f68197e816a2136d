import { lendingOperations } from '@tallystick/wire'
import { zeroAddress } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import { probe } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { at, marketWrite, roleReads, signerBlock } from '../core/index.ts'
import type { Registers } from './identity-gates.reads.ts'
import { generationOf, shownGates } from './identity-gates.rules.ts'
import { orNull, readGatesNow } from './identity-gates.service.ts'
import { registerProbe, shapeOf } from './register.rules.ts'
import { requestedRegisters } from './requested-registers.ts'

/** A new register that answers nothing would lock everybody out. */
async function requireAnswers(
  chain: Chain,
  current: Registers,
  next: Registers,
  refuse: Refuse<'IDENTITY_REGISTRY_INCOMPATIBLE'>,
): Promise<void> {
  const fields = (['borrower', 'provider'] as const).filter((one) => next[one] && next[one] !== current[one])
  if (fields.length === 0) return
  const { answers } = await probe(
    chain,
    fields.map((one) => registerProbe(next[one] ?? zeroAddress)),
  )
  const silent = fields.find((_, index) => !shapeOf(answers[index]).usable)
  if (silent) throw refuse('IDENTITY_REGISTRY_INCOMPATIBLE', { extra: { details: { field: `${silent}Registry` } } })
}

/** Which registers decide about borrowers and depositors of a market, both in one call. */
export const setIdentityGates = marketWrite(lendingOperations.setIdentityGates, {
  call: at('market', 'setIdentityGates', 'IdentityGatesUpdated'),
  shape: 'flat',

  async build({ market, record: { wallets }, chain, tenant, body, refuse }) {
    const found = await readGatesNow(tenant, chain, market)
    if (!found) throw refuse('IDENTITY_GATES_UNREADABLE')
    const { block, gates } = found
    if (gates.curator === null) throw refuse('MARKET_PENDING_CURATOR')
    if (generationOf(gates.version) === 'SINGLE_REGISTER') throw refuse('MARKET_UPGRADE_REQUIRED')
    const next = requestedRegisters(body, gates)
    const { borrower, provider } = next
    if (market.priceSource === 'MARKET' && borrower === null)
      throw refuse('IDENTITY_REGISTRY_REQUIRED', { extra: { details: { field: 'borrowerRegistry' } } })
    if (borrower === gates.borrower && provider === gates.provider) throw refuse('IDENTITY_GATES_UNCHANGED')
    await requireAnswers(chain, gates, next, refuse)
    const { results } = await chain.read(roleReads(market.address, 'DEFAULT_ADMIN_ROLE', wallets))
    const signing = signerBlock('DEFAULT_ADMIN_ROLE', wallets, results)
    return {
      block,
      signer: signing.signerAddress,
      args: { borrowerRegistry: borrower ?? zeroAddress, providerRegistry: provider ?? zeroAddress },
      confirmWith: {},
      answer: { borrowerRegistry: borrower, providerRegistry: provider, unchanged: false as const, ...signing },
    }
  },

  expect: () => ({}),

  async proven({ effect, transaction }, { market, chain, tenant }) {
    // Proven is proven, also while the chain cannot be asked how the registers answer.
    const found = await readGatesNow(tenant, chain, market).catch((error: unknown) => {
      if (error instanceof ChainUnavailableError) return null
      throw error
    })
    return {
      signedBy: transaction.from,
      borrowerRegistry: orNull(effect.borrowerRegistry),
      providerRegistry: orNull(effect.providerRegistry),
      gates: found ? shownGates(market.address, market.priceSource, found.gates) : null,
    }
  },
})
