import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { gateNote } from '../registers/index.rules.ts'
import { type AdoptionAnswers, questionAdoption } from './adoption-questions.reads.ts'
import { type AcceptBody, requireAcknowledgement, requireCommitment, requireParties } from './adoption-request.ts'
import { type Candidate, findCandidate } from './candidate-market.ts'
import { curatorTerms, realizationFault } from './curator-terms.rules.ts'
import { orNull } from './factory-entry.rules.ts'
import { MAX_CLAIMANTS } from './queue.service.ts'
import type { QueueRequest } from './queue-request.ts'

interface QueuedMarket extends Candidate, QueueRequest {
  readonly chain: Chain
}

function requireVault(answers: AdoptionAnswers, signer: Address, borrowAsset: Address): void {
  const { vault } = answers
  if (!vault) throw new AppError('VAULT_NOT_FOUND')
  if (vault.asset !== borrowAsset) throw new AppError('ASSET_MISMATCH')
  if (vault.owner !== signer) throw new AppError('VAULT_NOT_OPERATORS')
}

/** Everything that is checked before a market can be adopted, and the terms as they will be signed. */
export async function prepareAdoption(subject: QueuedMarket, body: AcceptBody) {
  const { address, factory, known, wallets, instance, chain } = subject
  const prepared = { address, factory, known, wallets }
  if (!instance.lenderApproved) throw new AppError('CURATOR_NOT_APPROVED')
  if (wallets.length === 0) throw new AppError('WALLET_NOT_CONFIGURED')
  const { parties, optionals } = requireParties(body)
  const found = await findCandidate(chain, subject, prepared)
  const { entry, borrowerRegistry, assetData } = found
  if (entry.curator !== null) throw new AppError('NOT_SEEKING_CURATOR')
  const nominee = wallets.find((wallet) => entry.candidates.includes(wallet)) ?? null
  if (!nominee && !entry.isOpenToAnyCurator) throw new AppError('NOT_NOMINATED')
  if (!nominee && !borrowerRegistry) throw new AppError('NOMINATION_REQUIRED')
  const fault = realizationFault(body.realizationMode, entry.priceSource)
  if (fault) throw new AppError(fault)
  const assetDataHash = requireAcknowledgement(body, assetData)

  const installsRegister = nominee !== null && !borrowerRegistry
  const newRegisters = [installsRegister ? optionals.identityRegistry : null, optionals.providerRegistry]
  const answers = await questionAdoption(chain, {
    ...entry,
    saleRecipient: parties.saleRecipient,
    claimants:
      !nominee && borrowerRegistry ? { register: borrowerRegistry, wallets: wallets.slice(0, MAX_CLAIMANTS) } : null,
    newRegisters: newRegisters.filter((one) => one !== null),
    vault: optionals.vault,
  })
  const { symbol, decimals } = answers.borrowAsset
  if (decimals === null) throw new AppError('MARKET_VERIFICATION_UNAVAILABLE')
  const signer = nominee ?? answers.claimant
  if (!signer) throw new AppError('CANDIDATE_NOT_VERIFIED')
  if (answers.newRegisters.some(({ usable }) => !usable)) throw new AppError('IDENTITY_REGISTRY_INCOMPATIBLE')
  if (answers.mayReceive === false) throw new AppError('SALE_RECIPIENT_NOT_ELIGIBLE')
  if (optionals.vault) requireVault(answers, signer, entry.borrowAsset)
  const terms = curatorTerms({
    parties,
    optionals,
    realizationMode: body.realizationMode,
    liquidityCommitment: requireCommitment(body.liquidityCommitment, decimals),
    maxFixedRateBps: body.maxFixedRateBps ?? 0,
    assetDataHash,
    installsRegister,
  })
  const borrowAsset = { address: entry.borrowAsset, symbol: symbol ?? '', decimals }
  return { ...prepared, ...found, nominee, signer, terms, answers, borrowAsset }
}

export type PreparedAdoption = Awaited<ReturnType<typeof prepareAdoption>>

/** The register that this adoption would install, if it installs one. */
export function installedRegister(ready: Pick<PreparedAdoption, 'terms' | 'answers'>) {
  const address = orNull(ready.terms.borrowerRegistry)
  const [shape] = ready.answers.newRegisters
  return address && shape ? { address, ...shape, note: gateNote(shape) } : null
}
