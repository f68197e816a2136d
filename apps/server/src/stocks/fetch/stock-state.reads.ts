import { identityRegistryAbi } from '@tallystick/abi'
import { type Address, zeroAddress } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import {
  allValues,
  type ContractRead,
  contractRead,
  type ReadResult,
  type ResultsOf,
} from '../../platform/chain/contract-read.ts'
import { readAt } from '../../platform/chain/read-at.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'

/** Reads that a stock token answers. One that does not is a chain that was not read, never a zero. */
async function readAll<const R extends readonly ContractRead<unknown>[]>(chain: Chain, reads: R) {
  const { block, results } = await chain.read(reads)
  const values = requireAll(results as ResultsOf<R> & readonly never[])
  return { block, values } as {
    block: Block
    values: { [K in keyof R]: R[K] extends ContractRead<infer T> ? T : never }
  }
}

function requireAll<const R extends readonly ReadResult<unknown>[]>(results: R) {
  const values = allValues(results)
  if (!values) throw new ChainUnavailableError('a stock token did not answer')
  return values
}

function announcedRegistry([registry, readyAt]: readonly [Address, bigint]) {
  return registry === zeroAddress ? null : { registryAddress: lowered(registry), readyAt: Number(readyAt) }
}

export async function readState(chain: Chain, token: Address) {
  const { block, results } = await chain.read([
    contractRead(token, abis.stock, 'announcedIdentityRegistry', []),
    contractRead(token, abis.stock, 'totalSupply', []),
    contractRead(token, abis.stock, 'paused', []),
    contractRead(token, abis.stock, 'owner', []),
    contractRead(token, abis.stock, 'identityRegistry', []),
    contractRead(token, abis.stock, 'complianceModule', []),
    contractRead(token, abis.stock, 'subIssuersAllowed', []),
    contractRead(token, abis.stock, 'holderCount', []),
    contractRead(token, abis.stock, 'splitRatio', []),
    contractRead(token, abis.stock, 'splitHoldersLeft', []),
  ])
  // The first implementation exchanges its registry unannounced, and does not know the question.
  const [announced, ...others] = results
  const values = requireAll(others)
  const [totalSupply, paused, owner, identityRegistry, module, subIssuersAllowed, holderCount, ratio, left] = values
  const state = {
    totalSupply,
    paused,
    owner: lowered(owner),
    identityRegistry: lowered(identityRegistry),
    announcedRegistry: announced.ok ? announcedRegistry(announced.value) : null,
    complianceModule: module === zeroAddress ? null : lowered(module),
    subIssuersAllowed,
    holderCount: holderCount.toString(),
    splitRatio: { numerator: ratio[0].toString(), denominator: ratio[1].toString() },
    splitHoldersLeft: left.toString(),
  }
  return { block, state }
}

export async function readRoles(chain: Chain, token: Address, account: Address) {
  const { block, values } = await readAll(chain, [
    contractRead(token, abis.stock, 'isIssuer', [account]),
    contractRead(token, abis.stock, 'isSubIssuer', [account]),
    contractRead(token, abis.stock, 'isController', [account]),
    contractRead(token, abis.stock, 'isLegalOperator', [account]),
    contractRead(token, abis.stock, 'subIssuerCap', [account]),
    contractRead(token, abis.stock, 'subIssuerOutstanding', [account]),
  ])
  const [ISSUER, SUB_ISSUER, CONTROLLER, LEGAL_OPERATOR, cap, outstanding] = values
  return { block, roles: { ISSUER, SUB_ISSUER, CONTROLLER, LEGAL_OPERATOR }, cap, outstanding }
}

/** Rules of compliance modules that the identity registry has, not the token. */
const registryRules: readonly string[] = ['REGISTRY_MODULE_REFUSED', 'REGISTRY_MODULE_FAILED']
const COMPLIANCE_REJECTED = 5

/** What the token says, and which compliance module speaks: its own, or one of the registry's, which is asked at the same block. */
export async function readCanTransfer(chain: Chain, token: Address, from: Address, to: Address, amount: bigint) {
  const { block, values } = await readAll(chain, [
    contractRead(token, abis.stock, 'canTransfer', [from, to, amount]),
    contractRead(token, abis.stock, 'complianceModule', []),
    contractRead(token, abis.stock, 'identityRegistry', []),
    contractRead(token, abis.stock, 'balanceOf', [from]),
    contractRead(token, abis.stock, 'balanceOf', [to]),
  ])
  const [[code, rule], own, registry, fromBalance, toBalance] = values
  if (code !== COMPLIANCE_REJECTED) return { block, code, rule, module: null }
  if (!registryRules.includes(rule)) return { block, code, rule, module: lowered(own) }
  const transfer = [from, to, amount, fromBalance, toBalance] as const
  const [objection] = await readAt(chain, block, [
    contractRead(registry, identityRegistryAbi, 'moduleObjection', transfer),
  ])
  const [, module] = objection.ok ? objection.value : [0, zeroAddress]
  return { block, code, rule, module: module === zeroAddress ? null : lowered(module) }
}

export async function readBalance(chain: Chain, token: Address, account: Address) {
  const { block, values } = await readAll(chain, [
    contractRead(token, abis.stock, 'balanceOf', [account]),
    contractRead(token, abis.stock, 'transferableBalance', [account]),
    contractRead(token, abis.stock, 'frozenTokens', [account]),
    contractRead(token, abis.stock, 'isFrozen', [account]),
  ])
  const [total, transferable, frozen, walletFrozen] = values
  return { block, total, transferable, frozen, walletFrozen }
}

/** What an account holds of each of these tokens. */
export async function readHoldings(chain: Chain, tokens: readonly Address[], account: Address) {
  const reads = tokens.map((token) => contractRead(token, abis.stock, 'balanceOf', [account]))
  const { block, values } = await readAll(chain, reads)
  return { block, balances: values as readonly bigint[] }
}
