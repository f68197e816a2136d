import { type Address, zeroAddress } from 'viem'
import { parseUnits } from '../../platform/amounts.rules.ts'
import { type AppCode, fieldError, type Refuse } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import type { TokenAnswers } from './token-questions.reads.ts'

export function addressOr<C extends AppCode>(refuse: Refuse<C>, code: C, text: string): Address {
  const address = parseAddress(text)
  if (!address) throw refuse(code)
  return address
}

/** The same where it may be left out; null: it was. */
export const optionalAddressOr = <C extends AppCode>(refuse: Refuse<C>, code: C, text: string | undefined) =>
  text === undefined ? null : addressOr(refuse, code, text)

export function distinctCandidates(texts: readonly string[]): Address[] {
  const addresses = texts.flatMap((text) => parseAddress(text) ?? [])
  if (addresses.length < texts.length || addresses.includes(zeroAddress))
    throw fieldError('VALIDATION_ERROR', [
      { field: 'candidates', message: 'holds an address with a wrong checksum, or the zero address' },
    ])
  return [...new Set(addresses)]
}

export function accepted<T extends object, C extends AppCode>(
  refuse: Refuse<C>,
  code: C,
  offering: T | { readonly refused: string },
): T {
  if ('refused' in offering) throw refuse(code, { detail: offering.refused })
  return offering
}

type TokenCode =
  | 'COLLATERAL_TOKEN_NOT_CONTRACT'
  | 'COLLATERAL_TOKEN_NOT_ERC20'
  | 'FREEZE_MODE_UNSUPPORTED_TOKEN'
  | 'BORROW_ASSET_NOT_CONTRACT'
  | 'BORROW_ASSET_NOT_ERC20'
  | 'BORROW_ASSET_DECIMALS_UNSUPPORTED'
  | 'IDENTITY_REGISTRY_INCOMPATIBLE'

/** What the tokens and registers of a market have to be; answers the decimals of the borrow asset. */
export function requireAnswers(
  { collateral, borrowAsset, registersAnswer }: TokenAnswers,
  mode: 'FREEZE' | 'CUSTODY',
  refuse: Refuse<TokenCode>,
): number {
  if (!collateral.hasCode) throw refuse('COLLATERAL_TOKEN_NOT_CONTRACT')
  if (!collateral.isErc20) throw refuse('COLLATERAL_TOKEN_NOT_ERC20')
  if (mode === 'FREEZE' && !collateral.canFreeze) throw refuse('FREEZE_MODE_UNSUPPORTED_TOKEN')
  if (!borrowAsset.hasCode) throw refuse('BORROW_ASSET_NOT_CONTRACT')
  const { decimals } = borrowAsset
  if (!borrowAsset.isErc20 || decimals === null) throw refuse('BORROW_ASSET_NOT_ERC20')
  if (decimals < 6 || decimals > 18) throw refuse('BORROW_ASSET_DECIMALS_UNSUPPORTED')
  if (registersAnswer.includes(false)) throw refuse('IDENTITY_REGISTRY_INCOMPATIBLE')
  return decimals
}

/** No factory on record has made no stock. */
export function requireOwnStock(
  answer: ReadResult<boolean> | undefined,
  refuse: Refuse<'FACTORY_READ_FAILED' | 'NOT_A_STOCK_TOKEN'>,
): void {
  if (answer && !answer.ok) throw refuse('FACTORY_READ_FAILED')
  if (!answer?.value) throw refuse('NOT_A_STOCK_TOKEN')
}

export function requireInitialPrice(
  text: string | undefined,
  decimals: number,
  refuse: Refuse<'INVALID_INITIAL_PRICE'>,
): bigint {
  const price = text === undefined ? null : parseUnits(text, decimals)
  if (price === null || price === 0n) throw refuse('INVALID_INITIAL_PRICE')
  return price
}
